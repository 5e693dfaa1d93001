import { spawnSync } from 'node:child_process';

const JAVA_VERSION_MIN = 17;

/**
 * Returns why DynamoDB Local cannot run on this machine's Java, in one line with the fix; undefined if it
 * can.
 */
export function javaProblem(): string | undefined {
  const answer = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = javaVersionOf(answer.stderr ?? '');
  if (version !== undefined && version >= JAVA_VERSION_MIN) return undefined;
  const found = version === undefined ? 'none was found' : `version ${version} was found`;
  return `DynamoDB Local needs Java ${JAVA_VERSION_MIN} or newer, but ${found}: install it (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install temurin) or set DYNAMODB_ENDPOINT to another DynamoDB.`;
}

/** The major version in the output of `java -version`; Java 8 and older report 1.8 and so on. */
export function javaVersionOf(output: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match ? Number(match[1]) : undefined;
}

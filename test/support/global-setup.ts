import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchDynamoDbLocal } from '../../infra/local/database/dynamodb-local.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbEndpoint: string;
    /** Holds what is made once for the whole run (once-a-run.ts). */
    runFolder: string;
  }
}

/** One DynamoDB Local in memory for the whole run; every test file makes a table of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'test-run-'));
  project.provide('runFolder', folder);
  const given = process.env.DYNAMODB_ENDPOINT;
  const local = given ? undefined : await launchDynamoDbLocal({});
  project.provide('dynamodbEndpoint', given ?? local?.endpoint ?? '');
  return async () => {
    await local?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

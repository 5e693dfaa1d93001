import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { log } from '../../runtime/logger.ts';
import { requestLimits } from '../../runtime/request-limits.ts';

const CACHE_MS = 5 * 60_000;
const Values = v.record(v.string(), v.string());

type Client = Pick<SecretsManagerClient, 'send'>;

/**
 * The settings in one Secrets Manager secret, read at most every five minutes. If a later read fails, the last values
 * stay in use, and it is repeated after another five minutes.
 */
export function createSecretsManager(
  secretArn: string,
  client: Client = new SecretsManagerClient({ maxAttempts: 3, requestHandler: requestLimits() }),
  monotonicMs: () => number = () => performance.now(),
): { find(name: string): Promise<string | undefined> } {
  let cached: { values: Promise<Record<string, string>>; until: number } | undefined;

  async function read(): Promise<Record<string, string>> {
    const output = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    return v.parse(Values, JSON.parse(output.SecretString ?? '{}'));
  }

  async function readOr(last: Promise<Record<string, string>> | undefined): Promise<Record<string, string>> {
    try {
      return await read();
    } catch (error) {
      if (!last) throw error;
      log.warn('the secret could not be read again', {}, error);
      return last;
    }
  }

  return {
    async find(name) {
      const nowMs = monotonicMs();
      if (!cached || cached.until <= nowMs)
        cached = { values: readOr(cached?.values), until: nowMs + CACHE_MS };
      try {
        return (await cached.values)[name];
      } catch (error) {
        cached = undefined;
        throw error;
      }
    },
  };
}

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { requestLimits } from '../runtime/request-limits.ts';

const CACHE_MS = 5 * 60_000;
const Values = v.record(v.string(), v.string());

/** The settings in one Secrets Manager secret, read at most every five minutes. */
export function createSecretsManager(secretArn: string): { find(name: string): Promise<string | undefined> } {
  const client = new SecretsManagerClient({ maxAttempts: 3, requestHandler: requestLimits() });
  let cached: { values: Promise<Record<string, string>>; until: number } | undefined;

  async function read(): Promise<Record<string, string>> {
    const output = await client.send(new GetSecretValueCommand({ SecretId: secretArn }));
    return v.parse(Values, JSON.parse(output.SecretString ?? '{}'));
  }

  return {
    async find(name) {
      const nowMs = performance.now();
      if (!cached || cached.until <= nowMs) cached = { values: read(), until: nowMs + CACHE_MS };
      try {
        return (await cached.values)[name];
      } catch (error) {
        cached = undefined;
        throw error;
      }
    },
  };
}

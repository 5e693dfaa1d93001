import { lazily } from '../../runtime/async/lazily.ts';
import { ConfigError, findSetting, findVariable, requireSetting } from '../../runtime/config.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';

/** Credentials of the deployment's own providers, by setting name. */
export type Secrets = { find(name: string): Promise<string | undefined> };

/**
 * In AWS the secret `SECRETS_ARN`, a JSON object by setting name, so that no environment variable contains a
 * credential; without it the environment itself, as in the local run.
 */
export const secrets = dependency<Secrets>('secrets', () => {
  if (!findSetting('SECRETS_ARN')) return { find: async (name) => findVariable(name) };
  return lazily(
    async () => (await import('./secrets-manager.ts')).createSecretsManager(requireSetting('SECRETS_ARN')),
    { find: true },
  );
});

/** A secret that must be there; throws `ConfigError` with its name, never its value. */
export async function requireSecret(name: string): Promise<string> {
  const value = await resolve(secrets).find(name);
  if (!value) throw new ConfigError(`Missing secret ${name}`);
  return value;
}

/** A setting that must be there but is not, or has a value that cannot be used. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** The setting `name`; throws `ConfigError` with the name when it is missing or empty. */
export function requireSetting(name: string): string {
  const value = process.env[name];
  if (!value) throw new ConfigError(`Missing environment variable ${name}`);
  return value;
}

/** The setting `name`, or `fallback`. An empty value counts as missing. */
export function setting(name: string, fallback: string): string {
  return process.env[name] || fallback;
}

/** The setting `name` when it is there and not empty. */
export function findSetting(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** A setting that must be one of `values`; `fallback` when missing, `ConfigError` for anything else. */
export function choiceSetting<T extends string>(name: string, values: readonly T[], fallback: T): T {
  const value = process.env[name] || fallback;
  const found = values.find((each) => each === value);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}`);
  return found;
}

/** An integer setting, of at least `min`; throws `ConfigError` when it is not one. */
export function numberSetting(name: string, fallback: number, { min }: { min?: number } = {}): number {
  const value = process.env[name];
  if (!value) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number)) throw new ConfigError(`${name} must be an integer`);
  if (min !== undefined && number < min) throw new ConfigError(`${name} must be at least ${min}`);
  return number;
}

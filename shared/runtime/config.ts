import {
  type ChoiceOf,
  type ChoiceSetting,
  findSettingRow,
  type IntegerSetting,
  SETTINGS,
  type SettingName,
  type TextSetting,
} from './settings.ts';

/** A setting that must be there but is not, or has a value that cannot be used. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/** The value under a name that is not in `SETTINGS`: a queue's address, a secret, a setting of a named provider. */
export function findVariable(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** The same; throws `ConfigError` with the name when it is missing or empty. */
export function requireVariable(name: string): string {
  const value = findVariable(name);
  if (!value) throw new ConfigError(`Missing environment variable ${name}`);
  return value;
}

export function requireSetting(name: SettingName): string {
  return requireVariable(name);
}

/** The setting `name`, or its default; `suffix` is a named provider's. An empty value counts as missing. */
export function setting(name: TextSetting, suffix = ''): string {
  return findVariable(`${name}${suffix}`) ?? SETTINGS[name].text;
}

/** The setting `name` when it is there and not empty. */
export function findSetting(name: SettingName): string | undefined {
  return findVariable(name);
}

/** A setting that must be one of its choices, or its default; `ConfigError` for anything else. */
export function choiceSetting<N extends ChoiceSetting>(name: N): ChoiceOf<N> {
  const choices: readonly ChoiceOf<N>[] = SETTINGS[name].choices;
  const value = findVariable(name) ?? SETTINGS[name].choice;
  const found = choices.find((each) => each === value);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}`);
  return found;
}

/** An integer setting, or its default; throws `ConfigError` when it is not one, or too small. */
export function numberSetting(name: IntegerSetting): number {
  const { integer = 0, min } = findSettingRow(name) ?? {};
  const value = findVariable(name);
  if (!value) return integer;
  const number = Number(value);
  if (!Number.isInteger(number)) throw new ConfigError(`${name} must be an integer`);
  if (min !== undefined && number < min) throw new ConfigError(`${name} must be at least ${min}`);
  return number;
}

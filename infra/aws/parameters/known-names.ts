import { fileNameOf, type Route } from '../../../shared/http/rows/route.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import type { SettingName } from '../../../shared/runtime/settings.ts';
import { plainSettingName, settingValueProblem } from '../../settings.ts';
import { GIVEN_SETTINGS, SET_BY_STACKS } from '../environment.ts';
import { ParameterError, type Parameters } from './parameters.ts';

/** Throws a `ParameterError` for names and values that would have no effect, or stop a function later. */
export function assertKnownNames(
  parameters: Parameters,
  routes: readonly Route[],
  workers: readonly Worker[],
): void {
  const functions = [
    ...routes.map(({ id }) => fileNameOf(id)),
    ...workers.map(({ name }) => name),
    'preflight',
    'unknown-route',
  ];
  const readers = workers.filter(({ trigger }) => trigger.kind === 'queue').map(({ name }) => name);
  const { settings, memoryMb, reservedConcurrency, queueConcurrency } = parameters;
  const problems = [
    ...unknownOf('memoryMb', memoryMb, functions, 'function'),
    ...unknownOf('reservedConcurrency', reservedConcurrency, functions, 'function'),
    ...unknownOf('queueConcurrency', queueConcurrency, readers, 'worker with a queue'),
    ...Object.entries(settings).flatMap(([name, value]) => {
      const plain = plainSettingName(name, settings);
      const problem = settingProblem(plain, value, [...routes, ...workers])?.replace(plain, name);
      return problem ? [`settings: ${problem}`] : [];
    }),
  ];
  if (problems.length > 0) throw new ParameterError(problems);
}

function unknownOf(
  parameter: string,
  limits: Readonly<Record<string, number>>,
  known: readonly string[],
  kind: string,
): string[] {
  return Object.keys(limits)
    .filter((name) => !known.includes(name))
    .map((name) => `${parameter}: there is no ${kind} ${name}${hint(name, known)}`);
}

/** `sendSms` for `send-sms`, or names that contain it. */
function hint(name: string, known: readonly string[]): string {
  const plain = fileNameOf(name).toLowerCase();
  const close = known.filter((each) => plain !== '' && each.includes(plain)).slice(0, 5);
  return close.length > 0 ? `, perhaps ${close.join(', ')}` : '';
}

function settingProblem(
  name: string,
  value: string,
  rows: readonly { settings?: readonly SettingName[] }[],
): string | undefined {
  if (SET_BY_STACKS.includes(name)) return `${name} is set by the stacks, from parameters and resources`;
  const isRead =
    GIVEN_SETTINGS.some((each) => each === name) ||
    rows.some((row) => row.settings?.some((each) => each === name));
  if (!isRead) return `no function reads ${name} from here (docs/configuration.md)`;
  return settingValueProblem(name, value);
}

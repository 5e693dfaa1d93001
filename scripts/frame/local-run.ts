import * as v from 'valibot';
import { defined } from '../../shared/runtime/values/defined.ts';
import { findJson } from '../../shared/runtime/values/find-json.ts';
import { CommandError } from './command.ts';

/**
 * Builds the headers of a request to local-only paths; a run that other machines can reach requires its
 * token.
 */
export function sandboxHeaders(): Record<string, string> {
  const token = process.env.SANDBOX_TOKEN;
  return { 'content-type': 'application/json', ...defined({ 'x-sandbox-token': token || undefined }) };
}

/** Requests a local-only path below `/_sandbox` and returns its JSON; throws one line with the error. */
export async function callSandbox(
  url: string,
  path: string,
  body?: unknown,
  method?: string,
): Promise<unknown> {
  const response = await fetch(`${url}/_sandbox/${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: sandboxHeaders(),
    redirect: 'manual',
    ...defined({ body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CommandError(`Nothing responds at ${url}: start the service with npm start.`);
  });
  const text = await response.text();
  const value = findJson(text || 'null');
  if (response.ok) return value;
  const { error, message, fix } = asRecord(value);
  const problem = { message, fix, ...asRecord(error) };
  const lines = [problem.message ?? `${url} is not a local run.`, problem.fix];
  throw new CommandError(lines.filter((line) => typeof line === 'string').join(' '));
}

/** Returns the time of a local run's service clock. */
export async function localNowMs(url: string): Promise<number> {
  return Date.parse(v.parse(v.object({ now: v.string() }), await callSandbox(url, 'clock')).now);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

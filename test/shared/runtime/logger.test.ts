import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { log } from '../../../shared/runtime/logger.ts';

/** Returns the line that an error is logged as. */
function lineOf(error: unknown): string {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    log.error('it failed', {}, error);
    return written.mock.calls.flat().join('\n');
  } finally {
    written.mockRestore();
  }
}

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

it.each([
  ['JSON', () => JSON.parse('hunter2')],
  ['JSON of another shape', () => v.parse(v.record(v.string(), v.number()), { password: 'hunter2' })],
])('logs an error of %s without the text that it quotes', (_, run) => {
  const error = thrownBy(run);
  expect(String(error)).toContain('hunter2');
  for (const each of [error, new Error('the secret cannot be read', { cause: error })]) {
    const line = lineOf(each);
    expect(line).not.toContain('hunter2');
    expect(line).toContain('a text or value could not be read');
    expect(line).toContain('logger.test.ts');
  }
});

it('logs other errors with their message and stack', () => {
  const line = lineOf(new Error('the table is $& unavailable'));
  expect(line).toContain('the table is $& unavailable');
  expect(line).toContain('logger.test.ts');
});

it('logs the first causes of an endless or very long chain', () => {
  const circular = new Error('circular');
  circular.cause = new Error('its cause', { cause: circular });
  const long = Array.from({ length: 100_000 }).reduce<Error>(
    (cause, _, index) => new Error(`cause ${index}`, { cause }),
    new Error('first'),
  );
  expect(lineOf(circular)).toContain('its cause');
  const line = lineOf(long);
  expect(line).toContain('cause 99999');
  expect(line).toContain('cause 99991');
  expect(line).not.toContain('cause 99990');
});

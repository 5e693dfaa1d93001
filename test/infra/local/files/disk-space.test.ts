import { expect, it } from 'vitest';
import { watchDiskSpace } from '../../../../infra/local/files/disk-space.ts';
import { createAdmission } from '../../../../infra/local/gateway/overload.ts';

it('reports a full disk once, and once that it has space again', () => {
  const lines: string[] = [];
  let isShort = false;
  let nowMs = 0;
  const space = watchDiskSpace(
    '/data',
    (line) => lines.push(line),
    () => isShort,
    () => nowMs,
  );
  const look = () => {
    nowMs += 100;
    return space.isFull();
  };
  expect(look()).toBe(false);
  isShort = true;
  expect([look(), look(), look()]).toEqual([true, true, true]);
  expect(lines).toEqual([
    expect.stringMatching(/^The disk of \/data has less than 16 MB left: .* Free some space\./),
  ]);
  isShort = false;
  expect([look(), look()]).toEqual([false, false]);
  expect(lines.slice(1)).toEqual(['The disk of /data has space again: the service continues.']);
});

it('rejects changes with 503 and a time to retry while the disk is full, and no reads', () => {
  let isFull = true;
  const admission = createAdmission({ isFull: () => isFull });
  const change = { method: 'PATCH' } as const;
  expect(admission.admit(change)).toMatchObject({ statusCode: 503, retryAfterSeconds: 10 });
  expect(admission.admit({ method: 'GET' })).not.toHaveProperty('statusCode');
  isFull = false;
  expect(admission.admit(change)).not.toHaveProperty('statusCode');
});

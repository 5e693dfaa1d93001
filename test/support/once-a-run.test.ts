import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { onceARun } from './once-a-run.ts';

it('says that the process that was to make something has ended', async () => {
  const folder = join(inject('runFolder'), `ended-${process.pid}`);
  mkdirSync(folder);
  writeFileSync(`${folder}.pid`, '2000000000');
  await expect(onceARun(`ended-${process.pid}`, () => 1)).rejects.toThrow(/was not made: the process/);
});

it('makes a value for all that ask for it', async () => {
  let count = 0;
  const make = () => {
    count += 1;
    return { count };
  };
  const name = `made-${process.pid}`;
  expect(await Promise.all([onceARun(name, make), onceARun(name, make)])).toEqual([
    { count: 1 },
    { count: 1 },
  ]);
});

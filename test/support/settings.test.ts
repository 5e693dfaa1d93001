import { beforeAll, expect, it } from 'vitest';
import { withSettings } from './workers.ts';

beforeAll(() => {
  process.env.OF_THE_FILE = 'file';
});

it('lets a test change and remove the settings of its file', () => {
  process.env.OF_A_TEST = 'test';
  delete process.env.OF_THE_FILE;
  expect(process.env.OF_THE_FILE).toBeUndefined();
});

it('restores them before the next test', () => {
  expect([process.env.OF_THE_FILE, process.env.OF_A_TEST]).toEqual(['file', undefined]);
});

it('restores what a block of a test changed when the block ends, even when it fails', async () => {
  const failing = withSettings({ OF_THE_FILE: undefined, OF_A_BLOCK: 'block' }, async () => {
    expect([process.env.OF_THE_FILE, process.env.OF_A_BLOCK]).toEqual([undefined, 'block']);
    throw new Error('the block failed');
  });
  await expect(failing).rejects.toThrow('the block failed');
  expect([process.env.OF_THE_FILE, process.env.OF_A_BLOCK]).toEqual(['file', undefined]);
});

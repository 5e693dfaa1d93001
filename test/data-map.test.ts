import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BLOB_FOLDERS } from '../shared/blobs/blob-folders.ts';
import { INAPP_PREFIX, profileKey } from '../shared/database/keys/user.ts';

const map = readFileSync('docs/data-map.md', 'utf8');
const rows = map.split('\n').filter((line) => line.startsWith('| `'));
const named = new Set(
  rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
);

/** Every key and partition of the table, by the form that its comment shows: `USER / PROFILE`. */
const keys = globSync('shared/database/keys/*.ts').flatMap((path) => {
  const source = readFileSync(path, 'utf8');
  return [...source.matchAll(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export const (\w+(?<!Of)(?:Key|Pk))\b/g)].map(
    ([, comment = '', name = '']) => ({
      name,
      form: /`([A-Z]+)[^`/]*(?:[^`]*? \/ ([A-Z]+)?)?/.exec(comment),
    }),
  );
});

it('has keys to compare', () => {
  expect(keys.length).toBeGreaterThan(50);
  expect(profileKey('e', 'u').sk).toBe('PROFILE');
  expect(INAPP_PREFIX).toBe('INAPP#');
});

it.each(keys)('names the item of $name', ({ name, form }) => {
  expect(form, `${name} needs a comment that shows its form`).not.toBeNull();
  const [, family = '', sort] = form ?? [];
  const isNamed =
    sort === undefined
      ? [...named].some((each) => each === family || each?.startsWith(`${family} `))
      : named.has(`${family} / ${sort}`) || named.has(family);
  expect(isNamed, `docs/data-map.md has no row for ${family} / ${sort ?? '…'}`).toBe(true);
});

it.each(BLOB_FOLDERS)('names the folder %s of the bucket', (folder) => {
  expect(named).toContain(`${folder}/`);
});

it.each([
  ['ERASED / ERASED', 'shared/database/entities/erasure/erasure-marks.ts', /MARK_SECONDS = (\d+) \* DAY/],
  ['ERASURES', 'shared/database/entities/erasure/erasure-receipts.ts', /KEPT_SECONDS = (\d+) \* DAY/],
  ['inbound/', 'infra/aws/stacks/data-stack.ts', /'inbound\/': (\d+)/],
  ['media/', 'infra/aws/stacks/data-stack.ts', /'media\/': (\d+)/],
  ['CARRIER / CARRIER', 'shared/channels/phone/numbers/carrier.ts', /KEPT_DAYS = (\d+)/],
  ['SMSTHREAD / ENV', 'shared/database/entities/incoming/texts.ts', /THREAD_KEPT_SECONDS = (\d+) \* DAY/],
  [
    'PROVIDERCALL / PROVIDERCALL',
    'shared/database/entities/sending/provider-calls.ts',
    /KEPT_MS = (\d+) \* DAY/,
  ],
  ['WEBHOOKCALL / CALL', 'shared/database/entities/webhooks/webhook-calls.ts', /KEPT_SECONDS = (\d+) \* DAY/],
  ['WEBHOOKATTEMPTS', 'shared/database/entities/webhooks/webhook-history.ts', /KEPT_SECONDS = (\d+) \* DAY/],
  ['LOG / HEAD', 'shared/database/entities/logs/log-head-items.ts', /KEPT_SECONDS = (\d+) \* DAY/],
  ['DIGEST / BUCKET', 'shared/database/entities/sending/digest-bucket.ts', /KEEP_DAYS = (\d+)/],
  ['USER / SNOOZE', 'shared/database/entities/inapp/inapp-snoozes.ts', /KEPT_SECONDS = (\d+) \* DAY/],
  ['RETRY / RETRY', 'shared/database/entities/sending/delivery-retries.ts', /KEPT_SECONDS = (\d+) \* DAY/],
])('states how long %s is kept', (name, path, pattern) => {
  const days = pattern.exec(readFileSync(path, 'utf8'))?.[1];
  expect(days).toBeDefined();
  const row = rows.find((each) => each.includes(`\`${name}\``));
  expect(row?.split('|')[3]).toContain(`${days} days`);
});

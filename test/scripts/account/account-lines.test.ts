import { expect, it } from 'vitest';
import { listLines } from '../../../scripts/account/account-lines.ts';

it("prints an account's name without control characters and direction marks", () => {
  const account = { accountId: 'a1', disabled: false, createdAt: '2026-11-21T08:00:00.000Z' };
  const name = 'A\u001b[31mB\u202eC\u0085\nD';
  const lines = listLines({ accounts: [{ ...account, name, admins: ['ada@example.com'] }] });
  expect(lines).toBe(
    'a1  enabled   2026-11-21T08:00:00.000Z  A\\u{1b}[31mB\\u{202e}C\\u{85}\\u{a}D  ada@example.com',
  );
});

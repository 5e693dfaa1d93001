import { expect, it } from 'vitest';
import { mailboxOf } from '../../../../shared/domain/users/mailbox.ts';

it.each([
  ['Ada@Example.COM', 'ada@example.com'],
  [' ada@example.com ', 'ada@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  // Decomposed, as macOS writes names, and Hangul in parts.
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['\u1112\u1161\u11ab@example.com', '\ud55c@example.com'],
  // The letters Kelvin and Angstrom.
  ['\u212a\u212b@example.com', 'k\u00e5@example.com'],
])('reads %s as the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
  expect(mailboxOf(mailbox)).toBe(mailbox);
});

import type { Member, Members } from '../../shared/database/entities/members.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { readExpiringToken } from '../../shared/tokens/expiring-token.ts';
import type { Signer } from '../../shared/tokens/signer.ts';

/** The change that a confirmation link stands for. `isDone`: the address was confirmed before. */
export type EmailChange = { member: Member; email: string; isDone: boolean };

/** Reads a confirmation link; throws RESOURCE_NOT_FOUND when it is not ours, has expired or a later one replaced it. */
export async function getEmailChange(
  signer: Signer,
  members: Members,
  token: string,
  nowMs: number,
): Promise<EmailChange> {
  const named = await readExpiringToken(signer, 'email-change', token, nowMs);
  const member = named && (await members.find(named.accountId, named.memberId));
  const isDone = named !== undefined && member?.email === named.subject;
  if (!named || !member || (member.pendingEmail !== named.subject && !isDone)) throw invalidLink();
  return { member, email: named.subject, isDone };
}

/** The error of a link that confirms nothing. */
export function invalidLink(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The link is not valid, has expired or was replaced by a later one.',
    fix: 'Ask for the change again: POST /profile/change-email.',
  });
}

/** A page with one sentence and, before the address is confirmed, a button. */
export function confirmationPage(sentence: string, button?: string): string {
  const form = button === undefined ? '' : `<form method="post"><button>${button}</button></form>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>E-mail address</title><p>${sentence}</p>${form}</html>`;
}

import { defined } from '../../runtime/values/defined.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { Stage } from '../../schemas/logs/stage.ts';
import { mailboxOf } from '../users/mailbox.ts';

/** The codes that providers give to an automatic reply, such as an absence, as well as to a failure. */
const CODES: readonly unknown[] = ['TRANSIENT_GENERAL_BOUNCE', 'UNDETERMINED_BOUNCE'];
const DELIVERIES: readonly Stage[] = ['delivered', 'copy_delivered'];

/** True if the failure is no failure where the provider reports a delivery to the same address, before or after it. */
export const mayBeNote = ({ email_failed_code }: LogFields): boolean => CODES.includes(email_failed_code);

/** True if the provider reports that it delivered the email to the address that failed. */
export function wasDelivered(
  events: readonly { stage: Stage; fields: LogFields }[],
  { email_failed_recipient = '' }: LogFields,
): boolean {
  const deliveries = events.filter(({ stage }) => DELIVERIES.includes(stage));
  const had = deliveries.flatMap(({ fields }) => mailboxesOf(fields.email_delivered_recipients));
  // An erased log has no addresses.
  if (had.length === 0) return deliveries.length > 0;
  return mailboxesOf(email_failed_recipient).every((each) => had.includes(each));
}

/** The event that a failure is in the log where the email was delivered. */
export function noteOf<E extends { fields: LogFields }>(event: E): E & { stage: 'delivered_note' } {
  const email_delivered_internal = event.fields.email_failed_internal;
  return { ...event, stage: 'delivered_note', fields: defined({ email_delivered_internal }) };
}

const mailboxesOf = (list = '') => (list === '' ? [] : list.split(',').map(mailboxOf));

import type { LogRecord } from '../../../client/src/generated/types.ts';
import { type Outcome, outcomesOf, type State, textOf } from './outcome.ts';

/** What a row says first: what went wrong, then what waits, then how far the message got. */
const ORDER: readonly State[] = ['failed', 'waiting', 'opened', 'delivered', 'sent', 'notsent'];
const PREFIX: Partial<Record<State, string>> = { failed: 'Failed: ', notsent: 'Not sent: ' };

/** What became of a notification, in words. */
export function summaryOf(record: LogRecord): { state: State; text: string } | undefined {
  const outcomes = outcomesOf(record);
  const [first] = ORDER.flatMap((state) => outcomes.filter((each) => each.state === state));
  return first && { state: first.state, text: wordsOf(first) };
}

export function wordsOf({ state, text }: Outcome): string {
  return `${PREFIX[state] ?? ''}${text}`;
}

/** The subject or the first words of a notification; empty if a template has them. */
export function titleOf(record: LogRecord): string {
  const request = objectIn(record.request);
  const { email, inapp, mobile_push: push, web_push: webPush, sms, call, chat } = request;
  const found = [
    Object(email).subject,
    Object(inapp).title,
    Object(push).title,
    Object(webPush).title,
    Object(sms).message,
    Object(call).message,
    Object(chat).text,
    record.sms_preview,
    objectIn(record.inapp_preview).title,
    objectIn(record.mobile_push_preview).title,
  ];
  return found.map(textOf).find(Boolean) ?? '';
}

function objectIn(json: string | undefined): Record<string, unknown> {
  try {
    return { ...Object(JSON.parse(json ?? '{}')) };
  } catch {
    return {};
  }
}

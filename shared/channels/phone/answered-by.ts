import type { LogFields } from '../../schemas/log-record.ts';
import { type FormParams, findField } from './form.ts';

type AnsweredBy = NonNullable<LogFields['call_answered_by']>;

/** Returns who answered a call, from a provider's callback: in the one about its detection, or with the call's end. */
export function answeredBy(params: FormParams): AnsweredBy | undefined {
  const detected = findField(params, 'AnsweredBy')?.toLowerCase();
  if (!detected) return undefined;
  if (/^(machine|fax)/.test(detected)) return 'machine';
  return detected.startsWith('human') ? 'human' : 'unknown';
}

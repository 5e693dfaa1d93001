import type { LogFields } from '../../../schemas/logs/log-record.ts';
import { type FormParams, findField } from '../form.ts';

/** Returns who answered a call, from the provider's callback about its detection or about the call's end. */
export function answeredBy(params: FormParams): NonNullable<LogFields['call_answered_by']> | undefined {
  const detected = findField(params, 'AnsweredBy')?.toLowerCase();
  if (!detected) return undefined;
  if (/^(machine|fax)/.test(detected)) return 'machine';
  return detected.startsWith('human') ? 'human' : 'unknown';
}

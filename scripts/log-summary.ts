import { coloured, printable, type State } from '../infra/terminal.ts';
import { CHANNELS, LOG_PREFIX, type LogPrefix } from '../shared/schemas/channel.ts';
import type { ShownLog } from './log-record.ts';

/** Later stages first: the first that a channel has is shown. */
const STAGES = [
  ['failed', 'failed'],
  ['clicked', 'opened'],
  ['opened', 'opened'],
  ['delivered', 'delivered'],
  ['sent', 'sent'],
  ['inbound', 'sent'],
] as const satisfies readonly (readonly [string, State])[];

/** True if any channel, or the notification itself, failed. */
export function isFailed(record: ShownLog): boolean {
  return Object.keys(record).some((name) => /(?:^|_)failed_at$/.test(name));
}

/** Summarizes a delivery log in one line: time, tracking ID, type, user and how far each channel is. */
export function summaryLine(record: ShownLog): string {
  const at = record.received_at ?? record.email_inbound_at ?? record.sms_inbound_at;
  const about = [record.type ?? '', record.user_id ?? ''].map(printable).join(' -> ');
  const channels = CHANNELS.flatMap((channel) => channelText(record, LOG_PREFIX[channel]) ?? []);
  const rest = channels.length > 0 ? channels : [record.failed_code ?? record.ignored ?? 'accepted'];
  return [at ?? ''.padEnd(24), printable(record.trackingId), about, ...rest].join('  ');
}

function channelText(record: ShownLog, prefix: LogPrefix): string | undefined {
  const found = STAGES.find(([stage]) => record[`${prefix}_${stage}_at`] !== undefined);
  if (found) {
    const [stage, state] = found;
    const code = record[`${prefix}_${stage}_code`];
    return coloured(state, `${prefix} ${[stage, code && printable(code)].filter(Boolean).join(' ')}`);
  }
  const routing = record[`${prefix}_routing`];
  if (routing === undefined || routing === 'OFF') return undefined;
  return coloured(routing === 'SEND' ? 'waiting' : 'quiet', `${prefix} ${routing.toLowerCase()}`);
}

import { coloured, printable, type State } from '../infra/terminal.ts';

/** A delivery log as the API returns it. */
export type LogRecord = Record<string, unknown>;

const CHANNELS = ['email', 'inapp', 'sms', 'call', 'mobile_push', 'web_push', 'chat'];
/** Later stages first: the first that a channel has is shown. */
const STAGES: readonly (readonly [string, State])[] = [
  ['failed', 'failed'],
  ['clicked', 'opened'],
  ['opened', 'opened'],
  ['delivered', 'delivered'],
  ['sent', 'sent'],
  ['inbound', 'sent'],
];

const textOf = (record: LogRecord, name: string) => {
  const value = record[name];
  return typeof value === 'string' ? value : undefined;
};

/** Whether any channel, or the notification itself, failed. */
export function isFailed(record: LogRecord): boolean {
  return Object.keys(record).some((name) => /(?:^|_)failed_at$/.test(name));
}

/** Summarizes a delivery log in one line: time, tracking ID, type, user and how far each channel is. */
export function summaryLine(record: LogRecord): string {
  const at =
    textOf(record, 'received_at') ?? textOf(record, 'email_inbound_at') ?? textOf(record, 'sms_inbound_at');
  const about = [textOf(record, 'type') ?? '', textOf(record, 'user_id') ?? ''].map(printable).join(' -> ');
  const channels = CHANNELS.flatMap((prefix) => channelText(record, prefix) ?? []);
  const rest = channels.length > 0 ? channels : [record.failed_code ?? record.ignored ?? 'accepted'];
  return [at ?? ''.padEnd(24), printable(String(record.trackingId)), about, ...rest].join('  ');
}

function channelText(record: LogRecord, prefix: string): string | undefined {
  const found = STAGES.find(([stage]) => record[`${prefix}_${stage}_at`] !== undefined);
  if (found) {
    const [stage, state] = found;
    const code = textOf(record, `${prefix}_${stage}_code`);
    return coloured(state, `${prefix} ${[stage, code && printable(code)].filter(Boolean).join(' ')}`);
  }
  const routing = textOf(record, `${prefix}_routing`);
  if (routing === undefined || routing === 'OFF') return undefined;
  return coloured(routing === 'SEND' ? 'waiting' : 'quiet', `${prefix} ${routing.toLowerCase()}`);
}

import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { coloured, print, printable, printableJson, type State } from '../infra/terminal.ts';
import { CHANNELS, LOG_PREFIX, type LogPrefix } from '../shared/schemas/channel.ts';
import { API_OPTIONS, type Api, openApi } from './frame/api.ts';
import { CommandError, EXIT, interruption, option, runCommand } from './frame/command.ts';
import { findLogs, IDS_MAX, type LogFilter, PARAMETERS, readLogs } from './logs/find-logs.ts';
import { type ShownLog, ShownLogs } from './logs/log-record.ts';

const OPTIONS = {
  follow: option.flag('print changes until Ctrl-C'),
  user: option.value('<id>', 'only of this user'),
  type: option.value('<id>', 'only of this notification type'),
  subNotificationId: option.value('<id>', 'only of this sub-notification'),
  failed: option.flag('only with a failure, the same as --status failed'),
  from: option.value(
    '<ISO time>',
    'received at this time or later; failed notifications by the time of the failure',
  ),
  to: option.value('<ISO time>', 'until this time'),
  status: option.value('<status>', 'failed'),
  eventType: option.value('<type>', 'outbound, inbound or sms_inbound'),
  ...API_OPTIONS,
} as const;

const ABOUT = `Shows the delivery logs of the last 100 notifications that match, oldest first.

npm run logs -- [trackingId …] [options]`;

const POLL_MS = 2000;
const LOGS_MAX = 100;

const isWanted = (record: ShownLog, { user, type, failed, status }: LogFilter) =>
  (user === undefined || record.user_id === user) &&
  (type === undefined || record.type === type) &&
  ((!failed && status !== 'failed') || isFailed(record));

/** Reads the named logs, or the newest 100, oldest first. */
async function readShown(api: Api, ids: readonly string[]): Promise<ShownLog[]> {
  if (ids.length > IDS_MAX)
    throw new CommandError(`At most ${IDS_MAX} tracking IDs can be looked up in one call.`, EXIT.usage);
  if (ids.length > 0) return readLogs(api, ids);
  const { logs } = v.parse(ShownLogs, await api.call('GET', '/logs/tail'));
  return logs.reverse();
}

function createPrinter(isJson: boolean, filter: LogFilter): (records: readonly ShownLog[]) => number {
  const shown = new Map<string, string>();
  return (records) => {
    const wanted = records.filter((each) => isWanted(each, filter));
    for (const record of wanted) {
      const line = isJson ? printableJson(record) : summaryLine(record);
      const id = record.trackingId;
      if (shown.get(id) === line) continue;
      shown.set(id, line);
      print(line);
    }
    return wanted.length;
  };
}

/** Repeats `poll` until Ctrl-C, or until nothing reads the output. */
async function follow(poll: () => Promise<void>): Promise<void> {
  interruption().then(() => process.exit(EXIT.done));
  for (;;) {
    await sleep(POLL_MS);
    await poll();
  }
}

runCommand({ about: ABOUT, options: OPTIONS, hasArguments: true }, async (values, positionals) => {
  const api = await openApi(values);
  const print = createPrinter(values.json ?? false, values);
  const isFiltered = values.failed || Object.keys(PARAMETERS).some((name) => name in values);
  const first =
    isFiltered && positionals.length === 0
      ? (await findLogs(api, values, LOGS_MAX)).reverse()
      : await readShown(api, positionals);
  const count = print(first);
  if (values.follow)
    await follow(async () => {
      print(await readShown(api, positionals));
    });
  if (count === 0 && !values.json) console.error('No notification matches.');
});

/** Later stages first: the first that a channel has is shown. */
const STAGES = [
  ['failed', 'failed'],
  ['clicked', 'opened'],
  ['opened', 'opened'],
  ['delivered', 'delivered'],
  ['sent', 'sent'],
  ['inbound', 'sent'],
] as const satisfies readonly (readonly [string, State])[];

function isFailed(record: ShownLog): boolean {
  return Object.keys(record).some((name) => /(?:^|_)failed_at$/.test(name));
}

/** Summarizes a delivery log in one line: time, tracking ID, type, user and how far each channel is. */
function summaryLine(record: ShownLog): string {
  const at = record.received_at ?? record.email_inbound_at ?? record.sms_inbound_at;
  const about = [record.type ?? '', record.user_id ?? ''].join(' -> ');
  const channels = CHANNELS.flatMap((channel) => channelText(record, LOG_PREFIX[channel]) ?? []);
  const rest = channels.length > 0 ? channels : [record.failed_code ?? record.ignored ?? 'accepted'];
  return printable([at ?? ''.padEnd(24), record.trackingId, about, ...rest].join('  '));
}

function channelText(record: ShownLog, prefix: LogPrefix): string | undefined {
  const found = STAGES.find(([stage]) => record[`${prefix}_${stage}_at`] !== undefined);
  if (found) {
    const [stage, state] = found;
    const code = record[`${prefix}_${stage}_code`];
    return coloured(state, `${prefix} ${[stage, code].filter(Boolean).join(' ')}`);
  }
  const routing = record[`${prefix}_routing`];
  if (routing === undefined || routing === 'OFF') return undefined;
  return coloured(routing === 'SEND' ? 'waiting' : 'quiet', `${prefix} ${routing.toLowerCase()}`);
}

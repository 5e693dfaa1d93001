import * as v from 'valibot';
import { coloured, print, printable, printableJson } from '../infra/terminal.ts';
import { MadeCall } from '../shared/schemas/logs/webhook.ts';
import { API_OPTIONS, type Api, openApi } from './frame/api.ts';
import { option, runCommand } from './frame/command.ts';

const FILTERS = {
  event: option.value('<event>', 'only for this event, such as EMAIL_OPEN'),
  outcome: option.value('<outcome>', 'delivered, failed or waiting'),
  from: option.value('<ISO time>', 'first attempt at this time or later'),
  to: option.value('<ISO time>', 'until this time'),
} as const;
const OPTIONS = {
  ...FILTERS,
  resend: option.flag('send these calls again, or those that are named'),
  ...API_OPTIONS,
} as const;

const ABOUT = `Shows the last 100 calls of the webhook that match, newest first, with their attempts, and sends them again.

npm run webhooks -- [callId …] [options]`;

const CALLS_MAX = 100;
/** Each page reads up to a thousand calls. */
const PAGES_MAX = 20;

const Page = v.object({ calls: v.array(MadeCall), nextCursor: v.optional(v.string()) });

type Filter = { [Name in keyof typeof FILTERS]?: string | undefined };

async function findCalls(api: Api, filter: Filter): Promise<MadeCall[]> {
  const query = new URLSearchParams({ limit: String(CALLS_MAX) });
  for (const name of ['event', 'outcome', 'from', 'to'] as const) {
    const value = filter[name];
    if (value !== undefined) query.set(name, value);
  }
  const calls: MadeCall[] = [];
  for (let pages = 0; pages < PAGES_MAX && calls.length < CALLS_MAX; pages += 1) {
    const page = v.parse(Page, await api.call('GET', `/webhooks/calls?${query}`));
    calls.push(...page.calls);
    if (page.nextCursor === undefined) break;
    query.set('cursor', page.nextCursor);
  }
  return calls.slice(0, CALLS_MAX);
}

function lineOf({ callId, at, eventType, outcome, attempts }: MadeCall): string {
  const last = attempts.at(-1);
  const response = last ? `${last.error ?? last.status} after ${last.ms} ms` : '';
  const tried = `${attempts.length} attempt${attempts.length === 1 ? '' : 's'}`;
  return printable(`${at}  ${eventType}  ${coloured(outcome, outcome)}  ${tried}, ${response}  ${callId}`);
}

runCommand({ about: ABOUT, options: OPTIONS, hasArguments: true }, async (values, positionals) => {
  const api = await openApi(values);
  const calls = positionals.length === 0 ? await findCalls(api, values) : [];
  for (const call of calls) print(values.json ? printableJson(call) : lineOf(call));
  if (calls.length === 0 && positionals.length === 0 && !values.json) console.error('No call matches.');
  const wanted =
    positionals.length > 0 || values.resend ? [...positionals, ...calls.map(({ callId }) => callId)] : [];
  for (const callId of wanted) {
    const sent = await api.call('POST', `/webhooks/calls/${encodeURIComponent(callId)}/resend`);
    print(values.json ? printableJson(sent) : `Sent again: ${printable(callId)}`);
  }
});

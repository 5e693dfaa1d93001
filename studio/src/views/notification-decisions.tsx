import type { LogRecord } from '../../../client/src/generated/types.ts';
import { docsOfCode } from '../../../shared/domain/logs/explanations.ts';
import { useLoaded } from '../parts/basics.tsx';
import { ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { Table } from '../parts/table.tsx';
import type { Plan } from '../parts/use-plan.ts';
import { type Fields, type Outcome, outcomesOf, STATE_MARKS } from '../state/outcome.ts';
import { addressOf } from '../state/route.ts';
import { api, config } from '../state/service.ts';
import { noteOf } from './compose-decisions.tsx';

/** The log does not have the cause of these: a dry run returns it. */
const VAGUE = /^(?:IGNORE|IGNORE_BY_PREFERENCES|CHANNEL_NOT_FOUND|MISSING_\w+_(?:MESSAGE|HTML|SUBJECT))$/;

export function Decisions({ record, plan }: { record: LogRecord; plan: Plan }) {
  const all = outcomesOf(record, true);
  const off = all.filter(({ code }) => code === 'OFF');
  const outcomes = all.filter((each) => !off.includes(each));
  const isVague = outcomes.some(({ state, code }) => state === 'notsent' && VAGUE.test(code ?? ''));
  const { value: now } = useLoaded(
    async () => (isVague && record.request ? await dryRunOf(record.request) : undefined),
    [record.trackingId, isVague],
  );
  /** The cause in more words, unless another one decides by now. */
  const causeOf = ({ channel: { id, prefix }, code }: Outcome) => {
    const decided = now?.routing?.find(({ channel }) => channel === id);
    const isSame = decided?.reason === (record as Fields)[`${prefix}_routing_reason`];
    return now && isSame && VAGUE.test(code ?? '') ? noteOf(id, now.messages) : undefined;
  };
  return (
    <div class="card">
      <header>
        <h2>What happened</h2>
      </header>
      <div class="wide">
        <Table class="decisions">
          {outcomes.map((outcome) => (
            <Decision
              key={outcome.channel.id}
              outcome={withPlan(outcome, plan)}
              type={record.type ?? ''}
              now={causeOf(outcome)}
            />
          ))}
          {off.length > 0 && <Off outcomes={off} />}
        </Table>
      </div>
    </div>
  );
}

const withPlan = (outcome: Outcome, plan: Plan): Outcome => ({
  ...outcome,
  text: (outcome.state === 'waiting' && plan[outcome.channel.id]?.text) || outcome.text,
});

function Off({ outcomes }: { outcomes: readonly Outcome[] }) {
  const link = outcomes[0]?.link;
  return (
    <tr>
      <th scope="row">
        <span class="marks" style={{ flexWrap: 'wrap' }} aria-hidden="true">
          {outcomes.map(({ channel: { id } }) => (
            <ChannelIcon key={id} channel={id} />
          ))}
        </span>
        <span class="hidden">Other channels</span>
      </th>
      <td>
        <span class="notsent">
          {STATE_MARKS.notsent} {outcomes.map(({ channel }) => channel.name).join(', ')}: not enabled on the
          type
        </span>
      </td>
      <td class="link">{link && <a href={addressOf(link.segments)}>{link.text}</a>}</td>
    </tr>
  );
}

/** What would happen to the channels now, and why. */
const dryRunOf = (request: string) => api.send(JSON.parse(request), { dryRun: 'true' });

function Decision({ outcome, type, now }: { outcome: Outcome; type: string; now: string | undefined }) {
  const { channel, state, text, fix, code, said, missing } = outcome;
  const isContent = now !== undefined && /template|condition/.test(now);
  const link = isContent ? { text: 'Open the type', segments: ['types', type] } : outcome.link;
  return (
    <tr>
      <th scope="row">
        <span class="marks">
          <ChannelIcon channel={channel.id} />
          {channel.name}
        </span>
      </th>
      <td>
        <span class={state}>
          {STATE_MARKS[state]} {state === 'notsent' && !/^Not sent/.test(text) ? 'Not sent. ' : ''}
          {now ? `${now.replace(/\.$/, '')}.` : text}
        </span>{' '}
        {code && code !== 'IGNORE' && <Code channel={channel.id} code={code} />}
        {said && <p class="small">The provider said: “{said}”</p>}
        {missing && <p class="small">{missing}</p>}
        {fix && !now && <p class="small faint">{fix}</p>}
      </td>
      <td class="link">{link && <a href={addressOf(link.segments)}>{link.text}</a>}</td>
    </tr>
  );
}

function Code({ channel, code }: { channel: ChannelId; code: string }) {
  const docs = docsOfCode(channel, code);
  if (docs === undefined) return <span class="mono faint">{code}</span>;
  return (
    <a class="mono faint" href={`${config.value?.apiUrl}${docs}`} target="_blank" rel="noreferrer">
      {code}
    </a>
  );
}

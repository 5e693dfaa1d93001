import { useEffect, useState } from 'preact/hooks';
import type { SendRequest } from '../../../client/src/generated/types.ts';
import { REASON_EXPLANATIONS, ROUTING_EXPLANATIONS } from '../../../shared/domain/logs/explanations.ts';
import { Problem } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { Preview } from '../parts/preview.tsx';
import type { Shown } from '../parts/shown.ts';
import { api } from '../state/service.ts';

const REDRAW_MS = 200;

type DryRun = {
  messages: string[];
  routing?: {
    channel: string;
    routing: string;
    reason?: string;
    content?: Shown;
    estimatedPrice?: number;
    missing?: string[];
  }[];
};

type Result = { value?: DryRun; error?: unknown };

/** Requests a dry run once typing pauses. */
export function useDryRun(draft: Record<string, unknown> | undefined): Result {
  const [result, setResult] = useState<Result>({});
  const key = JSON.stringify(draft);
  useEffect(() => {
    if (!draft) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      api.send(draft as SendRequest, { dryRun: 'true' }).then(
        (value) => isCurrent && setResult({ value: value as DryRun }),
        (error: unknown) => isCurrent && setResult({ error }),
      );
    }, REDRAW_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);
  return result;
}

export function Decisions({ result: { value, error } }: { result: Result }) {
  return (
    <section aria-label="What would happen" style={{ display: 'grid', gap: '12px' }}>
      <h2>What would happen</h2>
      {error ? <Problem error={error} /> : null}
      {value?.routing?.map((each) => {
        const row = CHANNELS.find(({ id }) => id === each.channel);
        if (!row || (each.routing === 'OFF' && !each.content)) return null;
        return (
          <Decided
            key={each.channel}
            channel={row.id}
            name={row.name}
            decided={each}
            note={noteOf(each.channel, value.messages)}
          />
        );
      })}
      {value?.messages.filter(isGeneral).map((message) => (
        <p class="note" key={message}>
          {message}
        </p>
      ))}
    </section>
  );
}

const SAID = /^([A-Z_]+) is not sent: (.+)$/;

/** True if a message is about the whole notification, not one channel. */
const isGeneral = (message: string) => !SAID.test(message);

/** The service's statement about a channel, as a sentence. */
export function noteOf(channel: string, messages: readonly string[]): string | undefined {
  const found = messages.map((message) => SAID.exec(message)).find((each) => each?.[1] === channel)?.[2];
  const words = found?.replace(/^options\.email\.condition/, 'the condition of the request');
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

type DecidedProps = {
  channel: ChannelId;
  name: string;
  decided: NonNullable<DryRun['routing']>[number];
  note: string | undefined;
};

function Decided({ channel, name, decided, note }: DecidedProps) {
  const { routing, reason, content, missing = [] } = decided;
  const known = (reason ? REASON_EXPLANATIONS : ROUTING_EXPLANATIONS) as Record<
    string,
    { meaning: string; fix: string }
  >;
  const isSent = routing === 'SEND' || routing === 'BATCH' || routing === 'SCHEDULE';
  return (
    <article style={{ display: 'grid', gap: '8px' }}>
      <h3 class="marks">
        <ChannelIcon channel={channel} /> {name}
        <span class={isSent ? 'sent' : 'notsent'}>
          {isSent ? `→ ${routing.toLowerCase()}` : '○ not sent'}
        </span>
      </h3>
      {!isSent && <p class="small faint">{note ?? known[reason ?? routing]?.meaning}</p>}
      {missing.length > 0 && (
        <p class="note waiting">
          No value for: <span class="mono">{missing.join(', ')}</span>
        </p>
      )}
      {content && isSent && (
        <Preview channel={channel} shown={{ ...content, estimatedPrice: decided.estimatedPrice }} />
      )}
    </article>
  );
}

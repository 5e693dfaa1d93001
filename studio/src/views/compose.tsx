import { useEffect, useState } from 'preact/hooks';
import type { SendRequest } from '../../../client/src/generated/types.ts';
import { REASON_EXPLANATIONS, ROUTING_EXPLANATIONS } from '../../../shared/domain/explanations.ts';
import { act, Problem, useShortcut } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { Editor } from '../parts/editor.tsx';
import { Preview, type Shown } from '../parts/preview.tsx';
import { go, place } from '../state/route.ts';
import { api, config } from '../state/service.ts';

const DRAFT = 'studio.draft';
const REDRAW_MS = 200;
const START: SendRequest = {
  type: 'order_shipped',
  to: { id: 'ada', email: 'ada@example.com' },
  parameters: { order: 'A-1001' },
  email: {
    subject: 'Order {{ order }} is on its way',
    html: '<p>Hello, order <b>{{ order }}</b> has shipped.</p>',
  },
};

/** The fields of each channel's content in the form; everything else is edited as JSON. */
const FIELDS: Record<ChannelId, readonly string[]> = {
  EMAIL: ['subject', 'html'],
  INAPP_WEB: ['title', 'url'],
  SMS: ['message'],
  CALL: ['message'],
  PUSH: ['title', 'message'],
  WEB_PUSH: ['title', 'message', 'url'],
  CHAT: ['text'],
};

type Draft = Record<string, unknown>;
type DryRun = {
  messages: string[];
  routing?: { channel: string; routing: string; reason?: string; content?: Shown; missing?: string[] }[];
};

/** A request as a form that is also JSON, and what would happen, redrawn while typing. */
export function ComposeView() {
  const [text, setText] = useState(() => sessionStorage.getItem(DRAFT) ?? JSON.stringify(START, null, 2));
  const [isJson, setJson] = useState(false);
  const from = place.value.query.get('from');
  useEffect(() => {
    if (from)
      api.logs
        .get(from)
        .then(
          ({ logs }) => logs[0]?.request && setText(JSON.stringify(JSON.parse(logs[0].request), null, 2)),
        );
  }, [from]);
  useEffect(() => sessionStorage.setItem(DRAFT, text), [text]);
  const draft = parse(text);
  const result = useDryRun(draft);
  const set = (value: Draft) => setText(JSON.stringify(value, null, 2));
  const send = () =>
    act(async () => {
      const { trackingId } = await api.send(draft as SendRequest);
      go(['notifications', trackingId]);
    }, 'Accepted');
  useShortcut('Enter', send);
  return (
    <div class="page" style={{ maxWidth: '1400px' }}>
      <header class="actions">
        <h1>Compose</h1>
        <button type="button" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          {isJson ? 'As a form' : 'As JSON'}
        </button>
        <button type="button" class="primary" disabled={!draft} onClick={send}>
          {draft?.schedule ? 'Schedule' : 'Send'}
        </button>
      </header>
      <div class="two">
        <div style={{ display: 'grid', gap: '16px' }}>
          {isJson || !draft ? (
            <Editor value={text} language="json" label="Request" onChange={setText} />
          ) : (
            <Form draft={draft} set={set} />
          )}
          {!draft && <p class="problem">This is not JSON yet.</p>}
          {draft && <Copies draft={draft} />}
        </div>
        <Decisions result={result} />
      </div>
    </div>
  );
}

function parse(text: string): Draft | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Result = { value?: DryRun; error?: unknown };

function useDryRun(draft: Draft | undefined): Result {
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

type FormProps = { draft: Draft; set: (draft: Draft) => void };

function Form({ draft, set }: FormProps) {
  const to = (draft.to ?? {}) as Draft;
  const field = (
    name: string,
    label: string,
    holder: Draft,
    put: (value: Draft) => void,
    placeholder = '',
  ) => (
    <label>
      {label}
      <input
        value={typeof holder[name] === 'string' ? (holder[name] as string) : ''}
        placeholder={placeholder}
        onInput={({ currentTarget }) => put(withValue(holder, name, currentTarget.value))}
      />
    </label>
  );
  const putTo = (value: Draft) => set({ ...draft, to: value });
  return (
    <div class="card">
      <div class="body">
        <div class="field-row">
          {field('type', 'Type', draft, set)}
          {field('schedule', 'Send later', draft, set, '2027-06-01T09:00:00')}
        </div>
        <div class="field-row">
          {field('id', 'User ID', to, putTo)}
          {field('email', 'Email', to, putTo)}
          {field('number', 'Number', to, putTo, '+14155550123')}
        </div>
        <Parameters key={String(draft.type)} draft={draft} set={set} />
        {CHANNELS.map((channel) => (
          <ChannelFields
            key={channel.id}
            channel={channel.id}
            block={channel.block}
            name={channel.name}
            draft={draft}
            set={set}
          />
        ))}
      </div>
    </div>
  );
}

function withValue(holder: Draft, name: string, value: string): Draft {
  const { [name]: _, ...rest } = holder;
  return value === '' ? rest : { ...rest, [name]: value };
}

function Parameters({ draft, set }: FormProps) {
  const [text, setText] = useState(JSON.stringify(draft.parameters ?? {}, null, 2));
  const isValid = parse(text) !== undefined;
  const change = (value: string) => {
    setText(value);
    const parameters = parse(value);
    if (parameters) set({ ...draft, parameters });
  };
  return (
    <div style={{ display: 'grid', gap: '4px' }}>
      <span class="small faint">Parameters (JSON)</span>
      <Editor value={text} language="json" label="Parameters" onChange={change} />
      {!isValid && <p class="small failed">This is not a JSON object yet.</p>}
    </div>
  );
}

type ChannelProps = FormProps & { channel: ChannelId; block: string; name: string };

function ChannelFields({ channel, block, name, draft, set }: ChannelProps) {
  const content = draft[block] as Draft | undefined;
  const toggle = (isOn: boolean) => {
    const { [block]: _, ...rest } = draft;
    set(isOn ? { ...rest, [block]: Object.fromEntries(FIELDS[channel].map((field) => [field, ''])) } : rest);
  };
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, display: 'grid', gap: '8px' }}>
      <label class="check">
        <input
          type="checkbox"
          checked={content !== undefined}
          onChange={({ currentTarget }) => toggle(currentTarget.checked)}
        />
        <ChannelIcon channel={channel} /> {name} content
      </label>
      {content &&
        FIELDS[channel].map((field) => (
          <ContentField
            key={field}
            name={field}
            value={String(content[field] ?? '')}
            set={(value) => set({ ...draft, [block]: { ...content, [field]: value } })}
          />
        ))}
    </fieldset>
  );
}

const LONG = new Set(['html', 'message', 'text']);

function ContentField({ name, value, set }: { name: string; value: string; set: (value: string) => void }) {
  if (!LONG.has(name)) {
    return (
      <label>
        {name}
        <input value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
      </label>
    );
  }
  return (
    <label>
      {name}
      <textarea
        rows={name === 'html' ? 6 : 2}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

function Decisions({ result: { value, error } }: { result: Result }) {
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
            messages={value.messages}
          />
        );
      })}
      {value?.messages.map((message) => (
        <p class="note" key={message}>
          {message}
        </p>
      ))}
    </section>
  );
}

type DecidedProps = {
  channel: ChannelId;
  name: string;
  decided: NonNullable<DryRun['routing']>[number];
  messages: string[];
};

function Decided({ channel, name, decided: { routing, reason, content, missing = [] } }: DecidedProps) {
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
      {!isSent && <p class="small faint">{known[reason ?? routing]?.meaning}</p>}
      {missing.length > 0 && (
        <p class="note waiting">
          Nothing supplies: <span class="mono">{missing.join(', ')}</span>
        </p>
      )}
      {content && isSent && <Preview channel={channel} shown={content} />}
    </article>
  );
}

function Copies({ draft }: { draft: Draft }) {
  const body = JSON.stringify(draft, null, 2);
  const curl = `curl -s ${config.value?.apiUrl}/send -H "Authorization: Bearer $SECRET_KEY" -d '${body.replaceAll("'", "'\\''")}'`;
  const copy = (text: string) => act(() => navigator.clipboard.writeText(text), 'Copied');
  return (
    <details class="card">
      <summary style={{ padding: '8px 12px', cursor: 'pointer' }}>
        The same call as curl and TypeScript
      </summary>
      <div class="body">
        <pre>{curl}</pre>
        <pre>{`const { trackingId } = await client.send(${body});`}</pre>
        <div class="actions">
          <button type="button" onClick={() => copy(curl)}>
            Copy curl
          </button>
          <button type="button" onClick={() => copy(`await client.send(${body});`)}>
            Copy TypeScript
          </button>
        </div>
      </div>
    </details>
  );
}

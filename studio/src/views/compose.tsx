import { useEffect, useState } from 'preact/hooks';
import type { SendRequest } from '../../../client/src/generated/types.ts';
import { act, useShortcut } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { Editor } from '../parts/editor.tsx';
import { fieldName } from '../parts/field-names.ts';
import { go, place } from '../state/route.ts';
import { api, config } from '../state/service.ts';
import { Decisions, useDryRun } from './compose-decisions.tsx';

const DRAFT = 'studio.draft';
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
/** A request as a form and as JSON, with its dry run, redrawn while typing. */
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
  const topic = place.value.query.get('topic');
  useEffect(() => {
    if (topic) setText(JSON.stringify({ ...START, to: { topic } }, null, 2));
  }, [topic]);
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
          {!draft && <p class="problem">This is not valid JSON.</p>}
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
          {field('schedule', 'Send later, in the user’s time', draft, set, '2027-06-01T09:00:00')}
        </div>
        {typeof to.topic === 'string' && field('topic', 'Topic', to, putTo)}
        <div class="field-row">
          {field('id', 'User ID', to, putTo)}
          {field('email', 'Email', to, putTo)}
          {field('number', 'Phone number', to, putTo, '+14155550123')}
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
      {!isValid && <p class="small failed">This is not a JSON object.</p>}
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
        {fieldName(name)}
        <input value={value} onInput={({ currentTarget }) => set(currentTarget.value)} />
      </label>
    );
  }
  return (
    <label>
      {fieldName(name)}
      <textarea
        rows={name === 'html' ? 6 : 2}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
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

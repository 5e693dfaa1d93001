import { useEffect, useState } from 'preact/hooks';
import type { NotificationType, SendRequest } from '../../../client/src/generated/types.ts';
import { act, copyText, useLoaded, useShortcut } from '../parts/basics.tsx';
import { Editor } from '../parts/editor.tsx';
import { toast } from '../parts/toasts.tsx';
import { Writes } from '../parts/writes.tsx';
import { curlOf } from '../state/curl.ts';
import { go, place, setQuery } from '../state/route.ts';
import { api } from '../state/service.ts';
import { Decisions, useDryRun } from './compose-decisions.tsx';
import { Form, parseObject } from './compose-form.tsx';
import type { Draft } from './compose-options.tsx';

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

const contentOf = ({ type: _, ...rest }: Draft) => JSON.stringify(rest);

/** A request of a type with the samples of its templates. One item stands for all items of a digest. */
async function startOf({ notificationId: type, templates = [] }: NotificationType): Promise<Draft> {
  const samples = templates.map(async ({ channel }) => {
    const listed = (await api.templates.list(type, channel)).templates;
    const shown = listed.find((each) => each.default) ?? listed[0];
    const query = shown?.locale ? { locale: shown.locale } : {};
    const found = await api.templates.get(type, channel, shown?.templateId ?? '', query);
    return (found as { samples?: Draft }).samples;
  });
  const { _items: items, ...parameters } = Object.assign({}, ...(await Promise.all(samples))) as Draft;
  return { type, to: START.to, parameters: { ...(Array.isArray(items) ? items[0] : {}), ...parameters } };
}

/** A request as a form and as JSON, with its dry run, redrawn while typing. */
export function ComposeView() {
  const [text, show] = useState(() => sessionStorage.getItem(DRAFT) ?? JSON.stringify(START, null, 2));
  const [isJson, setJson] = useState(false);
  /** Counts replaced requests: the form of each begins anew. */
  const [round, setRound] = useState(0);
  const setText = (value: string) => {
    sessionStorage.setItem(DRAFT, value);
    show(value);
  };
  const set = (value: Draft) => setText(JSON.stringify(value, null, 2));
  // The address asks for this once: what is entered from then on stays after a reload.
  const replace = (value: Draft) => {
    const before = sessionStorage.getItem(DRAFT);
    const enter = (whole: string) => {
      setText(whole);
      setRound((count) => count + 1);
    };
    enter(JSON.stringify(value, null, 2));
    setQuery({});
    if (before && before !== sessionStorage.getItem(DRAFT))
      toast('The request was replaced', () => enter(before));
  };
  const from = place.value.query.get('from');
  useEffect(() => {
    if (from) api.logs.get(from).then(({ logs }) => logs[0]?.request && replace(JSON.parse(logs[0].request)));
  }, [from]);
  const topic = place.value.query.get('topic');
  useEffect(() => {
    if (topic) replace({ ...START, to: { topic } });
  }, [topic]);
  const draft = parseObject(text);
  const wanted = place.value.query.get('type');
  const { value: types } = useLoaded(() => api.types.list(), []);
  const [filled, setFilled] = useState<Draft>(START);
  const fillFrom = (id: unknown, put: (start: Draft) => void) => {
    const type = types?.find(({ notificationId }) => notificationId === id);
    if (!type?.templates?.length) return;
    startOf(type).then(
      (start) => {
        setFilled(start);
        put(start);
      },
      () => undefined,
    );
  };
  useEffect(() => fillFrom(wanted, replace), [wanted, types]);
  // What was entered stays when another type is chosen.
  const isEntered = !draft || draft.type === filled.type || contentOf(draft) !== contentOf(filled);
  useEffect(() => (isEntered ? undefined : fillFrom(draft?.type, set)), [draft?.type, types]);
  const result = useDryRun(draft);
  const send = () =>
    act(async () => {
      const { trackingId } = await api.send(draft as SendRequest);
      go(['notifications', trackingId]);
    }, 'Accepted');
  useShortcut('Enter');
  return (
    <div class="page" style={{ maxWidth: '1400px' }}>
      <header class="actions stays">
        <h1>Compose</h1>
        <button type="button" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          {isJson ? 'As a form' : 'As JSON'}
        </button>
        <Writes>
          <button type="button" class="primary" disabled={!draft} onClick={send}>
            {draft?.schedule ? 'Schedule' : 'Send'}
          </button>
        </Writes>
      </header>
      <div class="two">
        <div style={{ display: 'grid', gap: '16px' }}>
          {isJson || !draft ? (
            <Editor value={text} language="json" label="Request" onChange={setText} />
          ) : (
            <Form key={round} draft={draft} set={set} start={JSON.stringify(filled)} />
          )}
          {!draft && <p class="problem">This is not valid JSON.</p>}
          {draft && <Copies draft={draft} />}
        </div>
        <Decisions result={result} />
      </div>
    </div>
  );
}

function Copies({ draft }: { draft: Draft }) {
  const body = JSON.stringify(draft, null, 2);
  const curl = curlOf({ path: '/send', body });
  const copy = copyText;
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

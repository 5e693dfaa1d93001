import {
  act,
  Back,
  copyText,
  Empty,
  Id,
  Json,
  Missing,
  Problem,
  Skeleton,
  Spoken,
  Time,
  useLoaded,
} from '../parts/basics.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { Windowed } from '../parts/windowed.tsx';
import { Words } from '../parts/words.tsx';
import { curlOf } from '../state/curl.ts';
import { lastRequest } from '../state/live.ts';
import { addressOf, place, setQuery } from '../state/route.ts';
import { sandbox } from '../state/service.ts';

type Logged = {
  id: number;
  at: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  requestId?: string;
  key?: { type: string; keyId: string };
  trackingId?: string;
  error?: { code?: string; message: string; fix?: string; errors?: { path: string; message: string }[] };
};
type Whole = Logged & { headers: Record<string, string>; body?: string; isPartial: boolean };

const OUTCOMES = [
  ['', 'Any status'],
  ['failed', 'Errors'],
] as const;

export function RequestsView() {
  const { path, query } = place.value;
  const { value, error } = useLoaded(
    () => sandbox<{ requests: Logged[] }>('requests').then(({ requests }) => requests),
    [],
    lastRequest.value,
  );
  const filters = Object.fromEntries(query);
  const shown = value?.filter((each) => isMatching(each, filters));
  const chosen = shown?.find(({ id }) => String(id) === path[0]);
  const set = (name: string, to: string) => setQuery({ ...filters, [name]: to });
  return (
    <div class={`split ${path[0] ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Requests">
        <h1 class="hidden">Requests</h1>
        <div class="bar">
          <FilterField
            label="Path, error or ID"
            width="60%"
            value={filters.text}
            onChange={(text) => set('text', text)}
            isLive
          />
          <Select<string>
            label="Status"
            value={filters.status ?? ''}
            all={OUTCOMES}
            set={(to) => set('status', to)}
            isWide
          />
        </div>
        {error ? <Problem error={error} /> : null}
        {!shown && !error && <Skeleton />}
        {shown?.length === 0 && (
          <Empty title={value?.length ? 'Nothing matches' : 'No requests yet'}>
            The last 500 requests of this run appear here as they come, with what was wrong with each.
          </Empty>
        )}
        {shown && shown.length > 0 && (
          <Windowed
            items={shown}
            rowHeight={56}
            keyOf={({ id }) => id}
            currentKey={chosen?.id}
            label="Requests"
          >
            {(each, style) => (
              <a
                class="row new"
                style={style}
                href={addressOf(['requests', String(each.id)], filters)}
                aria-current={each.id === chosen?.id ? 'true' : undefined}
              >
                <Spoken name={`${each.method} ${each.path}: ${statusText(each)}`}>
                  <span class="line">
                    <Words class="mono clip" text={`${each.method} ${each.path}`} />
                    <span class="small faint">
                      <Time atMs={Date.parse(each.at)} />
                    </span>
                  </span>
                  <span class="line small faint">
                    <Status logged={each} />
                    <span class="clip">{each.error?.code}</span>
                    <span>{each.durationMs} ms</span>
                  </span>
                </Spoken>
              </a>
            )}
          </Windowed>
        )}
      </section>
      <section class="pane" aria-label="Request">
        {path[0] ? (
          <Detail key={path[0]} id={path[0]} />
        ) : (
          <Empty title="Choose a request">What was sent and what was wrong with it is shown here.</Empty>
        )}
      </section>
    </div>
  );
}

function isMatching(logged: Logged, { text = '', status }: Record<string, string>): boolean {
  if (status && logged.status < 400) return false;
  return JSON.stringify(Object.values(logged)).toLowerCase().includes(text.toLowerCase());
}

const statusText = ({ status, error }: Logged) => `${status} ${error ? (error.code ?? 'failed') : 'OK'}`;

function Status({ logged }: { logged: Logged }) {
  const isFailed = logged.status >= 400;
  return (
    <span class={isFailed ? 'failed' : 'delivered'}>
      {isFailed ? '✕' : '✓'} {logged.status}
    </span>
  );
}

function Detail({ id }: { id: string }) {
  const { value, error } = useLoaded(() => sandbox<Whole>(`requests/${encodeURIComponent(id)}`), [id]);
  if (error) return <Missing title="No such request" list="requests" error={error} />;
  return (
    <div class="page">
      <Back list="requests" />
      {value ? <Shown logged={value} /> : <Skeleton />}
    </div>
  );
}

function Shown({ logged }: { logged: Whole }) {
  const { method, path, headers, body, key, error, trackingId, requestId, isPartial } = logged;
  const keyName = key?.type === 'public' ? 'NDS_PUBLIC_KEY' : 'NDS_KEY';
  const again = () =>
    act(
      () => sandbox(`requests/${logged.id}/again`, 'POST', {}),
      'Sent again: its response is the newest in the list',
    );
  return (
    <>
      <header class="actions">
        <h1 class="mono">
          <Words text={`${method} ${path}`} />
        </h1>
        <Status logged={logged} />
        <span class="faint">
          {logged.durationMs} ms, <Time atMs={Date.parse(logged.at)} />
        </span>
        {requestId && <Id value={requestId} />}
        {trackingId && (
          <a class="button" href={addressOf(['notifications', trackingId])}>
            What happened to it
          </a>
        )}
        <button type="button" onClick={() => copyText(curlOf({ method, path, headers, body }, keyName))}>
          Copy as curl
        </button>
        <button type="button" disabled={isPartial} onClick={again}>
          Send again
        </button>
      </header>
      {isPartial && (
        <p class="note">
          Credentials and long bodies are not kept. Copy this request as curl and complete it to send it
          again.
        </p>
      )}
      {error && <Failure error={error} />}
      <p class="small faint">
        {key ? `Called with the ${key.type} key ${key.keyId}.` : 'Called without an API key.'}
      </p>
      {body !== undefined && (
        <div class="card">
          <header>
            <h2>Body</h2>
          </header>
          <div class="body">
            <Json value={body} />
          </div>
        </div>
      )}
    </>
  );
}

function Failure({ error: { code, message, fix, errors = [] } }: { error: NonNullable<Logged['error']> }) {
  return (
    <div class="card">
      <header>
        <h2 class="failed">✕ {message}</h2>
      </header>
      <div class="body">
        {fix && <p>{fix}</p>}
        <p class="mono faint">{code}</p>
        {errors.length > 0 && (
          <div class="wide">
            <Table label="Fields">
              {errors.map(({ path, message: text }) => (
                <tr key={path + text}>
                  <td class="mono">{path}</td>
                  <td>{text}</td>
                </tr>
              ))}
            </Table>
          </div>
        )}
      </div>
    </div>
  );
}

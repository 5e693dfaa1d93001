import { useState } from 'preact/hooks';
import type { Channel, TemplateChange } from '../../../client/src/generated/types.ts';
import { act, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { saveOn } from '../parts/editions.ts';
import { fieldName } from '../parts/field-names.ts';
import { isSureToRemove } from '../parts/removals.ts';
import { Table } from '../parts/table.tsx';
import { Writes } from '../parts/writes.tsx';
import { type DiffLine, linesBetween } from '../state/diff.ts';
import { api, apiOfMaybe } from '../state/service.ts';
import type { Content } from './template-preview.ts';

type Target = { notificationId: string; channel: Channel; templateId: string; locale: string };
type Props = {
  target: Target;
  content: Content;
  /** Fields of a stored template, as the editor has them. */
  contentOf: (stored: Record<string, unknown>) => Content;
  filled: (content: Content) => Record<string, unknown>;
  setContent: (content: Content) => void;
  /** The ETag of what the editor began with. */
  base: string | undefined;
  onChanged: (isShown: boolean) => void;
};

/** Fields of a template that are not its content. */
const OWN = new Set(
  'envId notificationId templateId locale channel default isDefaultFor createdAt updatedAt updatedBy'.split(
    ' ',
  ),
);

type Version = { version: number; createdAt?: string; by?: string };

const argumentsOf = ({ notificationId, channel, templateId }: Target) =>
  [notificationId, channel, templateId] as const;
const queryOf = ({ locale }: Target) => (locale ? { locale } : {});

/** The draft of a template, which does not send, and its last versions, which can be compared and restored. */
export function TemplateVersions(props: Props) {
  const { target, base } = props;
  const key = [...argumentsOf(target), target.locale, base];
  const { value: listed, reload } = useLoaded(async () => {
    const of = argumentsOf(target);
    const [{ versions }, draft] = await Promise.all([
      api.templates.listVersions(...of, queryOf(target)),
      apiOfMaybe.templates.getDraft(...of, queryOf(target)),
    ]);
    const { members } = await api.members.list().catch(() => ({ members: [] }));
    const names = new Map<string, string>(members.map(({ userId, email }) => [userId, email]));
    return { versions, draft: draft as (Version & Record<string, unknown>) | undefined, names };
  }, key);
  if (!listed) return null;
  const nameOf = ({ by }: Version) => (by === undefined ? '' : ` by ${listed.names.get(by) ?? by}`);
  return (
    <>
      <DraftBar {...props} stored={listed.draft} nameOf={nameOf} reload={reload} />
      <History {...props} versions={listed.versions} nameOf={nameOf} />
    </>
  );
}

type Named = { nameOf: (version: Version) => string };

function DraftBar({
  target,
  content,
  contentOf,
  filled,
  setContent,
  base,
  onChanged,
  stored,
  nameOf,
  reload,
}: Props & Named & { stored: (Version & Record<string, unknown>) | undefined; reload: () => void }) {
  const of = argumentsOf(target);
  const query = queryOf(target);
  const read = () => api.templates.get(...of, query);
  const save = () =>
    act(async () => {
      const stored = Object.entries(await read());
      // A draft is the whole template: what the editor has no field for stays.
      const other = stored.filter(([name]) => !OWN.has(name) && !(name in content));
      const draft = { ...Object.fromEntries(other), ...filled(content) } as TemplateChange;
      await saveOn(base, (ifMatch) => api.templates.saveDraft(...of, draft, query, ifMatch), read);
    }).then(reload);
  const publish = async () => {
    // The draft knows what it began with: only a confirmed replacement has an ETag.
    if (await saveOn(undefined, (ifMatch) => api.templates.publishDraft(...of, query, ifMatch), read))
      onChanged(isShown);
  };
  const discard = async () => {
    if (!(await isSureToRemove('storedDraft', target.templateId))) return;
    if (await act(() => api.templates.deleteDraft(...of, query), 'Draft discarded')) reload();
  };
  const isShown = stored !== undefined && JSON.stringify(contentOf(stored)) === JSON.stringify(content);
  return (
    <Writes>
      <div class="actions">
        <button type="button" disabled={isShown} onClick={save}>
          Keep as a draft
        </button>
        {stored && (
          <>
            <span class="small">
              The draft of <Time atMs={Date.parse(stored.createdAt ?? '')} />
              {nameOf(stored)} {isShown ? 'is shown here and' : ''} does not send yet.
            </span>
            {!isShown && (
              <button type="button" onClick={() => setContent(contentOf(stored))}>
                Show the draft
              </button>
            )}
            <button type="button" onClick={publish}>
              Publish the draft
            </button>
            <button type="button" onClick={discard}>
              Discard the draft
            </button>
          </>
        )}
      </div>
    </Writes>
  );
}

function History({
  target,
  content,
  contentOf,
  base,
  onChanged,
  versions,
  nameOf,
}: Props & Named & { versions: Version[] }) {
  const [compared, setCompared] = useState<number>();
  const of = argumentsOf(target);
  const query = queryOf(target);
  const restore = async (version: number) => {
    const restored = await saveOn(
      base,
      (ifMatch) => api.templates.restoreVersion(...of, String(version), query, ifMatch),
      () => api.templates.get(...of, query),
    );
    if (restored) onChanged(false);
  };
  return (
    <details class="card">
      <summary style={{ padding: '8px 12px', cursor: 'pointer' }}>Versions</summary>
      <Table class="stack" label="Versions">
        {versions.map((each, index) => (
          <tr key={each.version}>
            <td>
              <Time atMs={Date.parse(each.createdAt ?? '')} />
              {nameOf(each)}
            </td>
            <td class="faint">{index === 0 ? 'sends' : ''}</td>
            <td>
              <div class="actions">
                <button
                  type="button"
                  aria-pressed={compared === each.version}
                  onClick={() => setCompared(compared === each.version ? undefined : each.version)}
                >
                  Compare
                </button>
                {index > 0 && (
                  <Writes>
                    <button type="button" onClick={() => restore(each.version)}>
                      Restore
                    </button>
                  </Writes>
                )}
              </div>
            </td>
          </tr>
        ))}
      </Table>
      {compared !== undefined && (
        <Comparison key={compared} {...{ target, content, contentOf, version: compared }} />
      )}
    </details>
  );
}

/** Line by line, what was in a version and what is in the editor. */
function Comparison({
  target,
  content,
  contentOf,
  version,
}: Pick<Props, 'target' | 'content' | 'contentOf'> & { version: number }) {
  const { value, error } = useLoaded(
    () => api.templates.getVersion(...argumentsOf(target), String(version), queryOf(target)),
    [version],
  );
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton lines={3} />;
  const before = contentOf(value as Record<string, unknown>);
  const changed = Object.keys(content).filter((name) => before[name] !== content[name]);
  return (
    <section class="body" aria-label="Comparison">
      {changed.length === 0 && <p class="faint">The same as in the editor.</p>}
      {changed.map((name) => (
        <div key={name}>
          <h2>{fieldName(name, target.channel)}</h2>
          <pre>
            {linesBetween(before[name] ?? '', content[name] ?? '').map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </pre>
        </div>
      ))}
    </section>
  );
}

function Line({ line: { kind, text } }: { line: DiffLine }) {
  if (kind === 'same') return <span class="faint">{`  ${text}\n`}</span>;
  return kind === 'removed' ? (
    <del class="failed">{`- ${text}\n`}</del>
  ) : (
    <ins class="delivered">{`+ ${text}\n`}</ins>
  );
}

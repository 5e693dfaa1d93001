import { useEffect, useState } from 'preact/hooks';
import { act, Problem, Skeleton, Unsaved, useLoaded, useShortcut } from '../parts/basics.tsx';
import { ChannelIcon, type ChannelId, channelOf } from '../parts/channel.tsx';
import { MODES, type Mode } from '../parts/delivery-modes.ts';
import { ask } from '../parts/dialog.tsx';
import { Editor } from '../parts/editor.tsx';
import { Preview } from '../parts/preview.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { Select } from '../parts/select.tsx';
import { countText } from '../parts/shown.ts';
import { Writes } from '../parts/writes.tsx';
import { type Draft, useDraft } from '../state/drafts.ts';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';
import { FIELDS, Fields } from './template-fields.tsx';
import { type Content, filledContent, itemsIn, usePreview } from './template-preview.ts';
import { openVariant, VariantPicker } from './template-variants.tsx';

type Props = {
  notificationId: string;
  channel: ChannelId;
  templateId: string;
  /** True for a template that does not exist yet. */
  isNew: boolean;
  onChanged: () => void;
};

/** A template in its editor, with its preview. */
export function TemplateView({ notificationId, channel, templateId, isNew, onChanged }: Props) {
  const [saved, setSaved] = useState<Content>();
  const [error, setError] = useState<unknown>();
  const locale = place.value.query.get('locale') ?? '';
  const [locales, setLocales] = useState<readonly string[]>([]);
  useEffect(() => {
    if (isNew) {
      const start = FIELDS[channel].map(([name, , text]) => [name, text]);
      return setSaved({ ...Object.fromEntries(start), samples: '{\n  "name": "Ada"\n}' });
    }
    openVariant({ notificationId, channel, templateId }, locale).then(({ template, known }) => {
      setSaved(contentOf(channel, template));
      setLocales(known);
    }, setError);
  }, []);
  if (error)
    return (
      <div class="page">
        <Problem error={error} />
      </div>
    );
  if (!saved) return <Skeleton />;
  return (
    <EditTemplate
      {...{ notificationId, channel, templateId, isNew, onChanged }}
      saved={saved}
      setSaved={setSaved}
      locale={locale}
      locales={locales}
    />
  );
}

function contentOf(channel: ChannelId, template: Record<string, unknown>): Content {
  const inner = (template.content ?? template) as Record<string, unknown>;
  const texts = FIELDS[channel].map(([name]) => [
    name,
    typeof inner[name] === 'string' ? (inner[name] as string) : '',
  ]);
  return { ...Object.fromEntries(texts), samples: JSON.stringify(template.samples ?? {}, null, 2) };
}

/** The mode of a template: a digest if it names items. */
function modeOf(content: Content): Mode {
  return Object.values(content).some((text) => text.includes('_items')) ? 'daily' : 'instant';
}

type EditProps = Props & {
  saved: Content;
  setSaved: (content: Content) => void;
  /** Language of the variant; empty for the one without. */
  locale: string;
  locales: readonly string[];
};

function EditTemplate(props: EditProps) {
  const { notificationId, channel, templateId, saved, isNew, locale } = props;
  const object = ['template', notificationId, channel, isNew ? '' : templateId, locale];
  const [content, setContent, draft] = useDraft(object, saved);
  const [mode, setMode] = useState(() => modeOf(content));
  const [items, setItems] = useState(() => itemsIn(content.samples)?.length ?? 3);
  const rendered = usePreview({ notificationId, channel, content, mode, items, locale });
  return (
    <div class="page" style={{ maxWidth: '1400px' }}>
      <Header {...props} content={content} draft={draft} />
      <div class="two">
        <div style={{ display: 'grid', gap: '12px' }}>
          <Fields {...{ channel, content, setContent }} error={rendered.error} />
          <div style={{ display: 'grid', gap: '4px' }}>
            <span class="small faint">
              Samples: values for previews and tests; _items has those of a digest
            </span>
            <Editor
              value={content.samples ?? ''}
              language="json"
              label="Samples"
              onChange={(samples) => setContent({ ...content, samples })}
            />
          </div>
        </div>
        <section aria-label="Preview" style={{ display: 'grid', gap: '12px' }}>
          <div class="actions">
            <label>
              Delivery mode
              <Select value={mode} all={MODES} set={setMode} />
            </label>
            {mode !== 'instant' && <ItemCount {...{ items, setItems }} />}
          </div>
          {rendered.error ? <Problem error={rendered.error} /> : null}
          {rendered.missing.length > 0 && (
            <p class="note waiting">
              No value for: <span class="mono">{rendered.missing.join(', ')}</span>
            </p>
          )}
          {rendered.notes?.map((note) => (
            <p key={note} class="note waiting">
              {note}
            </p>
          ))}
          {rendered.shown && <Preview channel={channel} shown={rendered.shown} />}
        </section>
      </div>
    </div>
  );
}

/** The template's place, and what can be done with it. */
function Header(props: EditProps & { content: Content; draft: Draft }) {
  const { notificationId, channel, templateId, content, draft, isNew, locale, locales, onChanged, setSaved } =
    props;
  const [newId, setNewId] = useState('');
  const { value: listed, reload } = useLoaded(
    () => api.templates.list(notificationId, channel),
    [templateId],
  );
  const own = listed?.templates.find((each) => each.templateId === templateId);
  const defaults = MODES.filter((mode) => (own?.isDefaultFor as Record<string, boolean> | undefined)?.[mode]);
  const save = async () => {
    if (!(await act(() => saveTemplate(props, newId), 'Saved'))) return;
    draft.keep();
    setSaved(content);
    onChanged();
  };
  const remove = async () => {
    if (!(await isSureToRemove('template', templateId))) return;
    if (
      !(await act(
        () => api.templates.delete(notificationId, channel, templateId, locale ? { locale } : {}),
        'Deleted',
      ))
    )
      return;
    draft.clear();
    onChanged();
    go(['types', notificationId]);
  };
  const useFor = (each: Mode) =>
    act(
      () => api.templates.selectDefault(notificationId, channel, { templateId, modes: [each] }),
      `The default for ${each}`,
    ).then(reload);
  useShortcut('s', save);
  return (
    <header class="actions">
      <ChannelIcon channel={channel} />
      <h1>
        <a href={addressOf(['types', notificationId])}>{notificationId}</a> · {channelOf(channel)?.name} ·{' '}
        {isNew ? 'new template' : templateId}
      </h1>
      {isNew && (
        <input
          placeholder="ID, such as default"
          aria-label="ID of the template"
          value={newId}
          onInput={({ currentTarget }) => setNewId(currentTarget.value)}
        />
      )}
      <a class="button" href={addressOf(['compose'], { type: notificationId })}>
        Compose
      </a>
      <Unsaved draft={draft} name="the template" />
      <Writes>
        <button type="button" class="primary" onClick={save}>
          Save
        </button>
        {channel === 'EMAIL' && (
          <button type="button" onClick={() => sendTest(notificationId, content)}>
            Send a test
          </button>
        )}
        {!isNew && (
          <button type="button" class="danger" onClick={remove}>
            Delete
          </button>
        )}
      </Writes>
      {!isNew && (
        <VariantPicker
          {...{ locale, locales }}
          onChoose={(next) =>
            go(['types', notificationId, channel, templateId], next ? { locale: next } : {})
          }
        />
      )}
      {!isNew && defaults.length > 0 && (
        <span class="small delivered">● default for {defaults.join(', ')}</span>
      )}
      {!isNew && (
        <Writes>
          <Select
            label="Make it the default"
            value=""
            all={[['', 'Make it the default for…'], ...MODES]}
            set={(each) => each && useFor(each)}
          />
        </Writes>
      )}
    </header>
  );
}

/** Sends the email as it is in the editor, with its samples. */
async function sendTest(notificationId: string, content: Content): Promise<void> {
  const to = await ask({
    title: 'Send a test',
    text: 'The email is sent as it is in the editor, with its samples.',
    field: 'Email address',
    button: 'Send',
  });
  if (!to) return;
  const { subject, html, senderEmail, senderName, samples } = filledContent(content);
  const { _items: _, ...parameters } = (samples ?? {}) as Record<string, unknown>;
  const body = {
    notificationId,
    to,
    subject,
    html,
    fromAddress: senderEmail ?? to,
    fromName: senderName ?? '',
    parameters,
  };
  await act(() => api.sendTestEmail(body as Parameters<typeof api.sendTestEmail>[0]), 'Sent');
}

/** Creates the template or its variant in a language, or updates it. Opens a new template under its ID. */
async function saveTemplate(props: EditProps & { content: Content }, newId: string): Promise<void> {
  const { notificationId, channel, templateId, content, isNew, locale, locales } = props;
  const filled = filledContent(content);
  if (isNew) {
    const id = newId.trim() || 'default';
    await api.templates.create(notificationId, channel, { templateId: id, ...filled });
    go(['types', notificationId, channel, id]);
  } else if (locale && !locales.includes(locale)) {
    await api.templates.create(notificationId, channel, { templateId, locale, ...filled });
  } else {
    await api.templates.update(notificationId, channel, templateId, filled, locale ? { locale } : {});
  }
}

function ItemCount({ items, setItems }: { items: number; setItems: (items: number) => void }) {
  return (
    <label>
      {countText(items, 'item')}
      <input
        type="range"
        min="1"
        max="20"
        value={items}
        onInput={({ currentTarget }) => setItems(Number(currentTarget.value))}
      />
    </label>
  );
}

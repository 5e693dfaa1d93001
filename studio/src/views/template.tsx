import { useEffect, useState } from 'preact/hooks';
import { act, Missing, Problem, Skeleton, Unsaved, useLoaded, useShortcut } from '../parts/basics.tsx';
import { ChannelIcon, type ChannelId, channelOf } from '../parts/channel.tsx';
import { MODES, type Mode } from '../parts/delivery-modes.ts';
import { ask } from '../parts/dialog.tsx';
import { saveOn } from '../parts/editions.ts';
import { Editor } from '../parts/editor.tsx';
import { Preview } from '../parts/preview.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { Select } from '../parts/select.tsx';
import { countText } from '../parts/shown.ts';
import { toast } from '../parts/toasts.tsx';
import { Words } from '../parts/words.tsx';
import { Writes } from '../parts/writes.tsx';
import { type Draft, useDraft } from '../state/drafts.ts';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';
import { FIELDS, Fields } from './template-fields.tsx';
import { type Content, filledContent, itemsIn, usePreview } from './template-preview.ts';
import { openVariant, VariantPicker } from './template-variants.tsx';
import { TemplateVersions } from './template-versions.tsx';

type Props = {
  notificationId: string;
  channel: ChannelId;
  templateId: string;
  isNew: boolean;
  onChanged: () => void;
};

export function TemplateView({ notificationId, channel, templateId, isNew, onChanged }: Props) {
  const [saved, setSaved] = useState<Content>();
  const [etag, setEtag] = useState<string>();
  const [error, setError] = useState<unknown>();
  const locale = place.value.query.get('locale') ?? '';
  const [locales, setLocales] = useState<readonly string[]>([]);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (isNew) {
      const start = FIELDS[channel].map(([name, , text]) => [name, text]);
      return setSaved({ ...Object.fromEntries(start), samples: '{\n  "name": "Ada"\n}' });
    }
    openVariant({ notificationId, channel, templateId }, locale).then(({ template, known, etag }) => {
      setEtag(etag);
      setSaved(contentOf(channel, template));
      setLocales(known);
    }, setError);
  }, [round]);
  if (error) return <Missing title={templateId} list="types" error={error} />;
  if (!saved) return <Skeleton />;
  return (
    <EditTemplate
      {...{ notificationId, channel, templateId, isNew, onChanged }}
      saved={saved}
      etag={etag}
      setSaved={setSaved}
      locale={locale}
      locales={locales}
      reload={() => setRound(round + 1)}
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

function modeOf(content: Content): Mode {
  return Object.values(content).some((text) => text.includes('_items')) ? 'daily' : 'instant';
}

type EditProps = Props & {
  saved: Content;
  etag: string | undefined;
  setSaved: (content: Content) => void;
  locale: string;
  locales: readonly string[];
  /** Reads the version that sends again. */
  reload: () => void;
};

function EditTemplate(props: EditProps) {
  const { notificationId, channel, templateId, saved, isNew, locale } = props;
  const object = ['template', notificationId, channel, isNew ? '' : templateId, locale];
  const [content, setContent, draft] = useDraft(object, saved, props.etag);
  const [mode, setMode] = useState(() => modeOf(content));
  const [items, setItems] = useState(() => itemsIn(content.samples)?.length ?? 3);
  const rendered = usePreview({ notificationId, channel, content, mode, items, locale });
  return (
    <div class="page" style={{ maxWidth: '1400px' }}>
      <Header {...props} content={content} draft={draft} />
      {!isNew && (
        <TemplateVersions
          target={{ notificationId, channel, templateId, locale }}
          content={content}
          contentOf={(stored) => contentOf(channel, stored)}
          filled={filledContent}
          setContent={setContent}
          base={draft.base}
          onChanged={(isShown) => {
            if (isShown) draft.clear();
            props.onChanged();
            props.reload();
          }}
        />
      )}
      <div class="two">
        <div style={{ display: 'grid', gap: '12px' }}>
          <Fields {...{ channel, content, setContent }} error={rendered.error} />
          <div style={{ display: 'grid', gap: '4px' }}>
            <span class="small faint">
              Samples: values for previews and tests; _items has the items of a digest
            </span>
            <Editor
              value={content.samples ?? ''}
              language="json"
              label="Samples"
              name="samples"
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
  const [newId, setNewId, idDraft] = useDraft(['template', notificationId, channel, 'new ID'], '');
  const { value: listed, reload } = useLoaded(
    () => api.templates.list(notificationId, channel),
    [templateId],
  );
  const own = listed?.templates.find((each) => each.templateId === templateId);
  const defaults = MODES.filter((mode) => (own?.isDefaultFor as Record<string, boolean> | undefined)?.[mode]);
  const save = async () => {
    if (!(await saveTemplate(props, newId, draft.base))) return;
    draft.keep();
    idDraft.clear();
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
  const useFor = (each: Mode) => {
    const select = (ifMatch: object) =>
      api.templates.selectDefault(notificationId, channel, { templateId, modes: [each] }, ifMatch);
    // Its ETag belongs to the variant without a language.
    const done = locale
      ? act(() => select({}), 'Saved')
      : saveOn(draft.base, select, () => api.templates.get(notificationId, channel, templateId));
    return done.then(reload);
  };
  useShortcut('s');
  return (
    <header class="actions">
      <ChannelIcon channel={channel} />
      <h1>
        <a href={addressOf(['types', notificationId])}>
          <Words text={notificationId} />
        </a>{' '}
        · {channelOf(channel)?.name} · {isNew ? 'new template' : <Words text={templateId} />}
      </h1>
      {isNew && (
        <input
          placeholder="ID, such as default"
          aria-label="ID of the template"
          data-field="templateId"
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
        <button type="button" onClick={() => sendTest(notificationId, channel, content)}>
          Send a test
        </button>
        {!isNew && (
          <button type="button" class="danger" onClick={remove}>
            Delete
          </button>
        )}
      </Writes>
      {!isNew && (
        <VariantPicker
          {...{ notificationId, channel, templateId, locale, locales }}
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

/** The inline content of a request with a template's fields. */
const BLOCKS: Record<ChannelId, (content: Record<string, unknown>) => object> = {
  EMAIL: (email) => ({ email }),
  INAPP_WEB: ({ redirectURL: url, imageURL: image, ...inapp }) => ({ inapp: { ...inapp, url, image } }),
  SMS: ({ text: message }) => ({ sms: { message } }),
  CALL: ({ text: message }) => ({ call: { message } }),
  PUSH: (mobile_push) => ({ mobile_push }),
  WEB_PUSH: (web_push) => ({ web_push }),
  CHAT: (chat) => ({ chat }),
};

/** Sends what is in the editor, with its samples: an email to an address, everything else to a user. */
function sendTest(notificationId: string, channel: ChannelId, content: Content) {
  const isEmail = channel === 'EMAIL';
  const send = async (to: string) => {
    const { samples, ...fields } = filledContent(content);
    const { _items: _, ...parameters } = (samples ?? {}) as Record<string, unknown>;
    const { subject, html, senderEmail, senderName } = fields;
    const email = { subject, html, fromAddress: senderEmail ?? to, fromName: senderName ?? '' };
    const request = {
      type: notificationId,
      to: { id: to },
      forceChannels: [channel],
      ...BLOCKS[channel](fields),
    };
    if (isEmail) {
      await api.sendTestEmail({ notificationId, to, ...email, parameters } as Parameters<
        typeof api.sendTestEmail
      >[0]);
    } else {
      const { messages = [] } = await api.send({ ...request, parameters } as Parameters<typeof api.send>[0]);
      if (messages.length > 0) throw new Error(messages.join(' '));
    }
    toast('Sent');
  };
  return ask({
    title: 'Send a test',
    text: 'What is in the editor is sent, with its samples.',
    field: isEmail ? 'Email address' : 'User ID',
    name: isEmail ? 'to' : 'to.id',
    button: 'Send',
    use: send,
  });
}

/** Creates the template or its variant in a language, or updates it. Opens a new template under its ID. */
function saveTemplate(
  props: EditProps & { content: Content },
  newId: string,
  base: string | undefined,
): Promise<boolean> {
  const { notificationId, channel, templateId, content, isNew, locale, locales } = props;
  const filled = () => filledContent(content);
  if (isNew) {
    const id = newId.trim() || 'default';
    return act(async () => {
      await api.templates.create(notificationId, channel, { templateId: id, ...filled() });
      go(['types', notificationId, channel, id]);
    }, 'Saved');
  }
  if (locale && !locales.includes(locale))
    return act(
      () => api.templates.create(notificationId, channel, { templateId, locale, ...filled() }),
      'Saved',
    );
  const query = locale ? { locale } : {};
  // What was emptied is cleared.
  const cleared = Object.fromEntries(FIELDS[channel].map(([name]) => [name, null]));
  return saveOn(
    base,
    (ifMatch) =>
      api.templates.update(notificationId, channel, templateId, { ...cleared, ...filled() }, query, ifMatch),
    () => api.templates.get(notificationId, channel, templateId, query),
  );
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

import { useEffect, useState } from 'preact/hooks';
import { act, Problem, Skeleton, useShortcut } from '../parts/basics.tsx';
import { ChannelIcon, type ChannelId, channelOf } from '../parts/channel.tsx';
import { Editor } from '../parts/editor.tsx';
import { fieldName } from '../parts/field-names.ts';
import { Preview } from '../parts/preview.tsx';
import { countText } from '../parts/shown.ts';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';
import { type Content, MODES, type Mode, problemIn, usePreview } from './template-preview.ts';
import { openVariant, VariantPicker } from './template-variants.tsx';

type Props = { notificationId: string; channel: ChannelId; templateId: string };
/** Field, whether it is markup, and the default of a new template. */
const FIELDS: Record<ChannelId, readonly [string, 'liquid' | 'line', string][]> = {
  EMAIL: [
    ['subject', 'line', 'Hello {{ name }}'],
    ['html', 'liquid', '<p>Hello {{ name }}</p>'],
    ['previewText', 'line', ''],
    ['senderName', 'line', ''],
    ['senderEmail', 'line', ''],
  ],
  INAPP_WEB: [
    ['title', 'line', 'Hello {{ name }}'],
    ['redirectURL', 'line', 'https://example.com'],
    ['imageURL', 'line', ''],
  ],
  SMS: [['text', 'liquid', 'Hello {{ name }}']],
  CALL: [['text', 'liquid', 'Hello {{ name }}']],
  PUSH: [
    ['title', 'line', 'Hello {{ name }}'],
    ['message', 'liquid', 'You have news.'],
  ],
  WEB_PUSH: [
    ['title', 'line', 'Hello {{ name }}'],
    ['message', 'liquid', 'You have news.'],
    ['icon', 'line', ''],
    ['url', 'line', 'https://example.com'],
  ],
  CHAT: [['text', 'liquid', 'Hello {{ name }}']],
};

/** A template in its editor, with its preview. */
export function TemplateView({ notificationId, channel, templateId }: Props) {
  const isNew = templateId === 'new';
  const [content, setContent] = useState<Content>();
  const [error, setError] = useState<unknown>();
  const locale = place.value.query.get('locale') ?? '';
  const [locales, setLocales] = useState<readonly string[]>([]);
  useEffect(() => {
    if (isNew) return setContent(Object.fromEntries(FIELDS[channel].map(([name, , start]) => [name, start])));
    openVariant({ notificationId, channel, templateId }, locale).then(({ template, known }) => {
      setContent(contentOf(channel, template));
      setLocales(known);
    }, setError);
  }, [templateId, locale]);
  if (error)
    return (
      <div class="page">
        <Problem error={error} />
      </div>
    );
  if (!content) return <Skeleton />;
  return (
    <EditTemplate
      {...{ notificationId, channel, templateId }}
      content={content}
      setContent={setContent}
      isNew={isNew}
      locale={locale}
      locales={locales}
    />
  );
}

function contentOf(channel: ChannelId, template: Record<string, unknown>): Content {
  const inner = (template.content ?? template) as Record<string, unknown>;
  return Object.fromEntries(
    FIELDS[channel].map(([name]) => [name, typeof inner[name] === 'string' ? (inner[name] as string) : '']),
  );
}

type EditProps = Props & {
  content: Content;
  setContent: (content: Content) => void;
  isNew: boolean;
  /** Language of the variant; empty for the one without. */
  locale: string;
  locales: readonly string[];
};

function EditTemplate(props: EditProps) {
  const { notificationId, channel, templateId, content, setContent, isNew, locale, locales } = props;
  const sampleKey = `studio.samples.${notificationId}.${channel}.${templateId}`;
  const [samples, setSamples] = useState(() => localStorage.getItem(sampleKey) ?? '{\n  "name": "Ada"\n}');
  const [mode, setMode] = useState<Mode>('instant');
  const [items, setItems] = useState(3);
  const [newId, setNewId] = useState('');
  useEffect(() => localStorage.setItem(sampleKey, samples), [samples]);
  const rendered = usePreview({ notificationId, channel, content, samples, mode, items, locale });
  const filled = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== ''));
  const save = () =>
    act(async () => {
      if (isNew) {
        const id = newId.trim() || 'default';
        await api.templates.create(notificationId, channel, { templateId: id, ...filled });
        go(['types', notificationId, channel, id]);
      } else if (locale && !locales.includes(locale)) {
        await api.templates.create(notificationId, channel, { templateId, locale, ...filled });
      } else {
        await api.templates.update(notificationId, channel, templateId, filled, locale ? { locale } : {});
      }
    }, 'Saved');
  const useFor = (each: Mode) =>
    act(
      () => api.templates.selectDefault(notificationId, channel, { templateId, modes: [each] }),
      `The default for ${each}`,
    );
  useShortcut('s', save);
  return (
    <div class="page" style={{ maxWidth: '1400px' }}>
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
        <button type="button" class="primary" onClick={save}>
          Save
        </button>
        {!isNew && (
          <VariantPicker
            {...{ locale, locales }}
            onChoose={(next) =>
              go(['types', notificationId, channel, templateId], next ? { locale: next } : {})
            }
          />
        )}
        {!isNew && (
          <select
            aria-label="Make it the default"
            value=""
            onChange={({ currentTarget }) => useFor(currentTarget.value as Mode)}
          >
            <option value="">Make it the default for…</option>
            {MODES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </header>
      <div class="two">
        <div style={{ display: 'grid', gap: '12px' }}>
          {FIELDS[channel].map(([name, kind]) => (
            <div key={name} style={{ display: 'grid', gap: '4px' }}>
              {kind === 'line' ? (
                <label>
                  {fieldName(name)}
                  <input
                    class="mono"
                    value={content[name]}
                    onInput={({ currentTarget }) => setContent({ ...content, [name]: currentTarget.value })}
                  />
                </label>
              ) : (
                <>
                  <span class="small faint">{fieldName(name)}</span>
                  <Editor
                    value={content[name] ?? ''}
                    language="liquid"
                    label={fieldName(name)}
                    onChange={(value) => setContent({ ...content, [name]: value })}
                    problem={problemIn(rendered.error, name)}
                  />
                </>
              )}
            </div>
          ))}
          <div style={{ display: 'grid', gap: '4px' }}>
            <span class="small faint">Sample parameters (stored in this browser)</span>
            <Editor value={samples} language="json" label="Sample parameters" onChange={setSamples} />
          </div>
        </div>
        <section aria-label="Preview" style={{ display: 'grid', gap: '12px' }}>
          <div class="actions">
            <label>
              Delivery mode
              <select value={mode} onChange={({ currentTarget }) => setMode(currentTarget.value as Mode)}>
                {MODES.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
            {mode !== 'instant' && (
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
            )}
          </div>
          {rendered.error ? <Problem error={rendered.error} /> : null}
          {rendered.missing.length > 0 && (
            <p class="note waiting">
              No value for: <span class="mono">{rendered.missing.join(', ')}</span>
            </p>
          )}
          {rendered.shown && <Preview channel={channel} shown={rendered.shown} />}
        </section>
      </div>
    </div>
  );
}

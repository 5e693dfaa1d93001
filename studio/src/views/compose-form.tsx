import { useState } from 'preact/hooks';
import { CHANNELS, ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { Editor } from '../parts/editor.tsx';
import { fieldName } from '../parts/field-names.ts';
import { TextField } from '../parts/text-field.tsx';
import { Delivery, type Draft, withValue } from './compose-options.tsx';

/** The fields of each channel's content in the form; everything else is edited as JSON. */
const FIELDS: Record<ChannelId, readonly string[]> = {
  EMAIL: ['subject', 'html'],
  INAPP_WEB: ['title', 'body', 'url'],
  SMS: ['message'],
  CALL: ['message'],
  PUSH: ['title', 'message'],
  WEB_PUSH: ['title', 'message', 'url'],
  CHAT: ['text'],
};

type FormProps = { draft: Draft; set: (draft: Draft) => void };
type Props = FormProps & {
  /** What the form started from: its fields are entered anew when that changes. */
  start: string;
};

/** The parts of a request that have a field; everything else is edited as JSON. */
export function Form({ draft, set, start }: Props) {
  const to = (draft.to ?? {}) as Draft;
  const field = (
    name: string,
    label: string,
    holder: Draft,
    put: (value: Draft) => void,
    placeholder = '',
  ) => (
    <TextField
      name={holder === draft ? name : `to.${name}`}
      label={label}
      placeholder={placeholder}
      value={typeof holder[name] === 'string' ? (holder[name] as string) : ''}
      set={(value) => put(withValue(holder, name, value))}
    />
  );
  const putTo = (value: Draft) => set({ ...draft, to: value });
  return (
    <div class="card">
      <div class="body">
        <div class="field-row">
          {field('type', 'Type', draft, set)}
          {field('subNotificationId', 'Sub-notification', draft, set, 'none')}
        </div>
        {typeof to.topic === 'string' ? (
          field('topic', 'Topic', to, putTo)
        ) : (
          <div class="field-row">
            {field('id', 'User ID', to, putTo)}
            {field('email', 'Email', to, putTo)}
            {field('number', 'Phone number', to, putTo, '+14155550123')}
            {field('locale', 'Language', to, putTo, 'such as de or pt-BR')}
            {field('timezone', 'Timezone', to, putTo, 'such as Europe/Berlin')}
          </div>
        )}
        <Parameters key={`${draft.type} ${start}`} draft={draft} set={set} />
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
        <h2>Delivery</h2>
        <Delivery draft={draft} set={set} />
      </div>
    </div>
  );
}

/** What was entered for the parameters of a request, and is no JSON object yet. */
const UNFINISHED = 'studio.draft.parameters';

function Parameters({ draft, set }: FormProps) {
  const stored = JSON.stringify(draft.parameters ?? {}, null, 2);
  const [text, setText] = useState(() => {
    const [of, unfinished] = JSON.parse(sessionStorage.getItem(UNFINISHED) ?? '[]') as string[];
    return of === stored && unfinished ? unfinished : stored;
  });
  const isValid = parseObject(text) !== undefined;
  const change = (value: string) => {
    setText(value);
    const parameters = parseObject(value);
    sessionStorage.setItem(UNFINISHED, JSON.stringify(parameters ? [] : [stored, value]));
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
  const [removed, setRemoved] = useState<Draft>();
  const toggle = (isOn: boolean) => {
    const { [block]: _, ...rest } = draft;
    const empty = Object.fromEntries(FIELDS[channel].map((field) => [field, '']));
    setRemoved(content);
    set(isOn ? { ...rest, [block]: removed ?? empty } : rest);
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
            block={block}
            value={String(content[field] ?? '')}
            set={(value) => set({ ...draft, [block]: { ...content, [field]: value } })}
          />
        ))}
      {content && channel === 'INAPP_WEB' && (
        <Actions
          value={Array.isArray(content.actions) ? content.actions : []}
          set={(actions) => set({ ...draft, [block]: withValue(content, 'actions', actions) })}
        />
      )}
    </fieldset>
  );
}

const LONG = new Set(['html', 'message', 'text']);

type ContentProps = { name: string; block: string; value: string; set: (value: string) => void };

function ContentField({ name, block, value, set }: ContentProps) {
  const at = `${block}.${name}`;
  if (!LONG.has(name)) return <TextField name={at} label={fieldName(name)} value={value} set={set} />;
  return (
    <label>
      {fieldName(name)}
      <textarea
        data-field={at}
        dir="auto"
        lang=""
        rows={name === 'html' ? 6 : 2}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

type Action = { label?: string; url?: string | undefined };

/** The buttons of an in-app message: two at most. Without a label and an address there is none. */
function Actions({ value, set }: { value: Action[]; set: (value: Action[] | undefined) => void }) {
  const put = (index: number, part: Action) => {
    const next = [0, 1].map((each) => ({ ...value[each], ...(each === index ? part : {}) }));
    const filled = next.filter(({ label, url }) => label || url);
    set(filled.length > 0 ? filled : undefined);
  };
  return [0, 1].slice(0, value.length + 1).map((index) => (
    <div class="field-row" key={index}>
      <TextField
        label={`Label of button ${index + 1}`}
        name={`inapp.actions.${index}.label`}
        value={value[index]?.label ?? ''}
        set={(label) => put(index, { label })}
      />
      <TextField
        label={`Address of button ${index + 1}`}
        name={`inapp.actions.${index}.url`}
        value={value[index]?.url ?? ''}
        set={(url) => put(index, url ? { url } : { url: undefined })}
      />
    </div>
  ));
}

/** A JSON object; undefined if the text is not one. */
export function parseObject(text: string): Draft | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

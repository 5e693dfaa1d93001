import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SendOptions } from '../../../client/src/generated/types.ts';
import { CHANNELS, type ChannelId } from '../parts/channel.tsx';
import { Choices } from '../parts/choices.tsx';
import { StepsEditor } from '../parts/steps-editor.tsx';
import { TextField } from '../parts/text-field.tsx';

export type Draft = Record<string, unknown>;
type Props = { draft: Draft; set: (draft: Draft) => void };

export function withValue<T extends object>(holder: T, name: string, value: unknown): T {
  const { [name]: _, ...rest } = holder as Draft;
  const isEmpty = value === '' || value === undefined || value === false;
  return (isEmpty ? rest : { ...rest, [name]: value }) as T;
}

const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Draft;
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function withOption(draft: Draft, name: string, value: unknown): Draft {
  const isEmpty = value === undefined || Object.keys(value as object).length === 0;
  const options = withValue(objectOf(draft.options), name, isEmpty ? undefined : value);
  return withValue(draft, 'options', Object.keys(options).length === 0 ? undefined : options);
}

/** When, in which order and on which channels a request is sent, and its email's envelope. */
export function Delivery({ draft, set }: Props) {
  const options = objectOf(draft.options) as SendOptions;
  const forced = Array.isArray(draft.forceChannels) ? (draft.forceChannels as ChannelId[]) : [];
  return (
    <>
      <div class="field-row">
        <When draft={draft} set={set} />
        <TextField
          name="templateId"
          label="Template ID"
          value={textOf(draft.templateId)}
          placeholder="the type’s default"
          set={(value) => set(withValue(draft, 'templateId', value))}
        />
        <TextField
          name="locale"
          label="Language of the content"
          value={textOf(draft.locale)}
          placeholder="the user’s"
          set={(value) => set(withValue(draft, 'locale', value))}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.urgent === true}
          onChange={({ currentTarget }) => set(withValue(draft, 'urgent', currentTarget.checked))}
        />
        Urgent: goes out during quiet hours and pauses
      </label>
      <Section title="Channels and steps" isOpen={forced.length > 0 || options.steps !== undefined}>
        <Choices
          name="forceChannels"
          legend="Only on these channels, in place of the type’s"
          all={CHANNELS.map(({ id, name }) => [id, name] as const)}
          chosen={forced}
          set={(chosen) => set(withValue(draft, 'forceChannels', chosen.length > 0 ? chosen : undefined))}
        />
        <StepsEditor
          steps={options.steps ?? []}
          set={(steps) => set(withOption(draft, 'steps', steps.length > 0 ? steps : undefined))}
        />
      </Section>
      <Section title="Email options" isOpen={options.email !== undefined}>
        <EmailOptions value={options.email ?? {}} set={(email) => set(withOption(draft, 'email', email))} />
      </Section>
    </>
  );
}

type SectionProps = { title: string; isOpen: boolean; children: ComponentChildren };

/** Folded fields; open at first if they have values. */
function Section({ title, isOpen, children }: SectionProps) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details class="section" open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{title}</summary>
      <div class="fields">{children}</div>
    </details>
  );
}

/** A time in the user's timezone has a picker; one with an offset is a text. */
function When({ draft, set }: Props) {
  const schedule = textOf(draft.schedule);
  const isLocal = schedule === '' || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(schedule);
  const change = (value: string) => set(withValue(draft, 'schedule', value));
  const label = 'Send later, in the user’s time';
  if (!isLocal) return <TextField name="schedule" label={label} value={schedule} set={change} />;
  return (
    <label>
      {label}
      <input
        type="datetime-local"
        data-field="schedule"
        value={schedule}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </label>
  );
}

const ADDRESSES = [
  ['replyToAddresses', 'Replies go to'],
  ['ccAddresses', 'Copy (CC)'],
  ['bccAddresses', 'Blind copy (BCC)'],
] as const;

type EmailProps = { value: NonNullable<SendOptions['email']>; set: (value: object) => void };

function EmailOptions({ value, set }: EmailProps) {
  const text = (name: 'fromName' | 'fromAddress' | 'condition', label: string, placeholder = '') => (
    <TextField
      name={`options.email.${name}`}
      label={label}
      placeholder={placeholder}
      value={value[name] ?? ''}
      set={(next) => set(withValue(value, name, next))}
    />
  );
  return (
    <>
      <div class="field-row">
        {text('fromName', 'Sender name', 'the account’s')}
        {text('fromAddress', 'Sender address', 'the account’s')}
      </div>
      <div class="field-row">
        {ADDRESSES.map(([name, label]) => (
          <Addresses
            key={name}
            name={`options.email.${name}`}
            label={label}
            value={value[name] ?? []}
            set={(next) => set(withValue(value, name, next))}
          />
        ))}
      </div>
      {text('condition', 'Send only if', 'plan == "gold"')}
    </>
  );
}

type AddressesProps = {
  name: string;
  label: string;
  value: readonly string[];
  set: (value: string[] | undefined) => void;
};

function Addresses({ name, label, value, set }: AddressesProps) {
  const [text, setText] = useState(value.join(', '));
  const change = (next: string) => {
    setText(next);
    const addresses = next
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean);
    set(addresses.length > 0 ? addresses : undefined);
  };
  return (
    <TextField
      name={name}
      label={label}
      placeholder="one@example.com, two@example.com"
      value={text}
      set={change}
    />
  );
}

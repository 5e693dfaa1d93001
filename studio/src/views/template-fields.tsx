import type { ChannelId } from '../parts/channel.tsx';
import { Editor } from '../parts/editor.tsx';
import { fieldName } from '../parts/field-names.ts';
import { TextField } from '../parts/text-field.tsx';
import { type Content, problemIn } from './template-preview.ts';

/** Field, whether it is markup, and the default of a new template. */
export const FIELDS: Record<ChannelId, readonly [string, 'liquid' | 'line', string][]> = {
  EMAIL: [
    ['subject', 'line', 'Hello {{ name }}'],
    ['html', 'liquid', '<p>Hello {{ name }}</p>'],
    ['text', 'liquid', ''],
    ['previewText', 'line', ''],
    ['senderName', 'line', ''],
    ['senderEmail', 'line', ''],
  ],
  INAPP_WEB: [
    ['title', 'line', 'Hello {{ name }}'],
    ['body', 'liquid', ''],
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

type Props = {
  channel: ChannelId;
  content: Content;
  setContent: (content: Content) => void;
  error: unknown;
};

export function Fields({ channel, content, setContent, error }: Props) {
  return (
    <>
      {FIELDS[channel].map(([name, kind]) => (
        <div key={name} style={{ display: 'grid', gap: '4px' }}>
          {kind === 'line' ? (
            <TextField
              name={name}
              label={fieldName(name, channel)}
              class="mono"
              value={content[name] ?? ''}
              set={(value) => setContent({ ...content, [name]: value })}
            />
          ) : (
            <>
              <span class="small faint">{fieldName(name, channel)}</span>
              <Editor
                value={content[name] ?? ''}
                language="liquid"
                label={fieldName(name, channel)}
                name={name}
                onChange={(value) => setContent({ ...content, [name]: value })}
                problem={problemIn(error, name)}
              />
            </>
          )}
        </div>
      ))}
    </>
  );
}

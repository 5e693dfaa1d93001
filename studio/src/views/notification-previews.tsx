import type { LogRecord } from '../../../client/src/generated/types.ts';
import { CHANNELS, type ChannelRow } from '../parts/channel.tsx';
import { Preview } from '../parts/preview.tsx';
import type { Shown } from '../parts/shown.ts';

export function Previews({ record }: { record: LogRecord }) {
  const fields = record as Record<string, unknown>;
  const previews = CHANNELS.flatMap((channel) => {
    const text = fields[`${channel.prefix}_preview`];
    return typeof text === 'string' ? [{ channel, shown: shownOf(channel, text, record) }] : [];
  });
  if (previews.length === 0)
    return (
      <p class="body faint" style={{ padding: '12px' }}>
        Nothing was sent, so there is no preview.
      </p>
    );
  return (
    <div class="body" style={{ padding: '12px', display: 'grid', gap: '12px' }}>
      {previews.map(({ channel, shown }) => (
        <Preview key={channel.id} channel={channel.id} shown={shown} />
      ))}
    </div>
  );
}

function shownOf(channel: ChannelRow, preview: string, record: LogRecord): Shown {
  if (channel.id === 'EMAIL') return { html: preview, to: record.user_email, subject: subjectOf(record) };
  if (channel.id === 'SMS' || channel.id === 'CALL') return { message: preview, from: record.sms_sent_from };
  try {
    return JSON.parse(preview);
  } catch {
    return { title: preview, text: preview };
  }
}

function subjectOf(record: LogRecord): string {
  try {
    return JSON.parse(record.request ?? '{}').email?.subject ?? record.type ?? '';
  } catch {
    return record.type ?? '';
  }
}

import { useState } from 'preact/hooks';
import type { LogRecord } from '../../../client/src/generated/types.ts';
import { act, copyText, pretty } from '../parts/basics.tsx';
import { CHANNELS } from '../parts/channel.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { localTime } from '../parts/shown.ts';
import { Writes } from '../parts/writes.tsx';
import { addressOf, go } from '../state/route.ts';
import { api, config } from '../state/service.ts';

export function Actions({ record }: { record: LogRecord }) {
  const request = record.request ?? '{}';
  const isWaiting = Boolean(record.scheduled_for) && !record.processed_at && !record.schedule_deleted_at;
  const again = async () => {
    const result = await api.send(JSON.parse(request));
    go(['notifications', result.trackingId]);
  };
  const curl = `curl -s ${config.value?.apiUrl}/send -H "Authorization: Bearer $NDS_KEY" -d '${request.replaceAll("'", "'\\''")}'`;
  const typescript = `await client.send(${pretty(request)});`;
  const copy = copyText;
  return (
    <div class="actions">
      <Writes>
        <button type="button" onClick={() => act(again, 'Sent again')}>
          Send again
        </button>
        {hasFailed(record) && (
          <button type="button" onClick={() => act(() => resend(record), 'What failed is sent again, once')}>
            Send again what failed
          </button>
        )}
      </Writes>
      <a class="button" href={addressOf(['compose'], { from: record.trackingId })}>
        Edit and send
      </a>
      {isWaiting && (
        <Writes>
          <Reschedule record={record} />
          <button type="button" class="danger" onClick={() => cancel(record)}>
            Cancel
          </button>
        </Writes>
      )}
      <button type="button" onClick={() => copy(curl)}>
        Copy as curl
      </button>
      <button type="button" onClick={() => copy(typescript)}>
        Copy as TypeScript
      </button>
    </div>
  );
}

/** True if a channel failed without having been sent. */
function hasFailed(record: LogRecord): boolean {
  const fields: Readonly<Record<string, unknown>> = record;
  return CHANNELS.some(({ prefix }) => fields[`${prefix}_failed_at`] && !fields[`${prefix}_sent_at`]);
}

/** The service sends each failed message again once: a second click shows the same notification. */
async function resend({ trackingId }: LogRecord): Promise<void> {
  const [first] = (await api.resendLog(trackingId, {})).resent;
  if (first) go(['notifications', first.trackingId]);
}

async function cancel({ trackingId, type }: LogRecord): Promise<void> {
  if (await isSureToRemove('scheduled', type ?? ''))
    await act(() => api.cancelScheduled(trackingId), 'Cancelled');
}

/** Gives a scheduled notification another time, in the time of this machine. */
function Reschedule({ record }: { record: LogRecord }) {
  const { trackingId, request = '{}' } = record;
  const [time, setTime] = useState(() => localTime(record.scheduled_for));
  const change = () =>
    api.reschedule(trackingId, { ...JSON.parse(request), schedule: new Date(time).toISOString() });
  return (
    <span class="actions">
      <input
        type="datetime-local"
        data-field="schedule"
        aria-label="New time"
        value={time}
        onInput={({ currentTarget }) => setTime(currentTarget.value)}
      />
      <button type="button" disabled={time === ''} onClick={() => act(change, 'Changed')}>
        Change the time
      </button>
    </span>
  );
}

import type { Channel, NotificationType } from '../../../client/src/generated/types.ts';
import { act, Empty, Problem, Skeleton, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { deliveryModesOf } from '../parts/delivery-modes.ts';
import { IdForm } from '../parts/id-form.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { Select } from '../parts/select.tsx';
import { Writes } from '../parts/writes.tsx';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';
import { TemplateView } from './template.tsx';
import { DeliveryTimes } from './type-delivery.tsx';
import { Limits, StepsOf } from './type-limits.tsx';
import { TextsOf } from './type-texts.tsx';

/** In an address: a template that does not exist yet, unless one has this ID. */
const NEW = 'new';

/** Notification types; one with its channels and templates; one template in its editor. */
export function TypesView() {
  const [id, channel, templateId] = place.value.path;
  const { value, error, reload } = useLoaded(() => api.types.list(), []);
  const type = value?.find(({ notificationId }) => notificationId === id);
  if (id && channel && templateId) {
    const known = type?.templates?.find((each) => each.channel === channel)?.templateIds ?? [];
    const isNew = templateId === NEW && (place.value.query.has('create') || !known.includes(NEW));
    if (templateId === NEW && !value && !error) return <Skeleton />;
    return (
      <TemplateView
        notificationId={id}
        channel={channel as ChannelId}
        templateId={templateId}
        isNew={isNew}
        onChanged={reload}
        key={JSON.stringify([id, channel, templateId, isNew, place.value.query.get('locale')])}
      />
    );
  }
  return (
    <div class={`split ${id ? 'has-detail' : ''}`}>
      <section class="pane" aria-label="Types">
        <h1 class="hidden">Types</h1>
        <IdForm
          label="ID of a new type"
          button="Create"
          view="types"
          save={(id) => api.types.create({ notificationId: id, title: id, channels: ['EMAIL'] })}
          done="Created"
          onSaved={reload}
        />
        <p class="bar small">
          <a href={addressOf(['components'])}>Email components</a>
        </p>
        {error ? <Problem error={error} /> : null}
        {!value && !error && <Skeleton />}
        {value?.length === 0 && (
          <Empty title="No types yet">
            The first notification of a type creates it, or enter an ID above.
          </Empty>
        )}
        <ul class="scroll rows" aria-label="Types">
          {value?.map((each) => (
            <Row type={each} isOpen={each.notificationId === id} key={each.notificationId} />
          ))}
        </ul>
      </section>
      <section class="pane" aria-label="Type">
        {id && value && !type && <Empty title="No such type" />}
        {type ? (
          <Detail type={type} key={type.notificationId} onChanged={reload} />
        ) : (
          !id && <Empty title="Choose a type">Its channels, delivery options and templates.</Empty>
        )}
      </section>
    </div>
  );
}

function Row({ type, isOpen }: { type: NotificationType; isOpen: boolean }) {
  const { notificationId, title, channels, enabled } = type;
  return (
    <li>
      <a
        class="row static"
        href={addressOf(['types', notificationId])}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span class="line">
          <span class="strong clip">{title}</span>
          {!enabled && <span class="small notsent">○ disabled</span>}
        </span>
        <span class="line">
          <span class="small faint clip">{notificationId}</span>
          <span class="marks faint">
            {channels.map((each) => (
              <ChannelIcon key={each} channel={each} />
            ))}
          </span>
        </span>
      </a>
    </li>
  );
}

type Change = Parameters<typeof api.types.update>[1];

function Detail({ type, onChanged }: { type: NotificationType; onChanged: () => void }) {
  const { notificationId, enabled } = type;
  const change = async (body: Change, then?: () => void) => {
    if (!(await act(() => api.types.update(notificationId, body), 'Saved'))) return;
    then?.();
    onChanged();
  };
  const remove = async () => {
    if (!(await isSureToRemove('type', notificationId))) return;
    if (!(await act(() => api.types.delete(notificationId), 'Deleted'))) return;
    onChanged();
    go(['types']);
  };
  return (
    <div class="page">
      <a class="button back" href={addressOf(['types'])}>
        ← Types
      </a>
      <header class="actions">
        <h1>{notificationId}</h1>
        <a class="button" href={addressOf(['notifications'], { type: notificationId })}>
          Notifications
        </a>
        <Writes>
          <button type="button" onClick={() => change({ enabled: !enabled })}>
            {enabled ? 'Disable' : 'Enable'}
          </button>
          <button type="button" class="danger" onClick={remove}>
            Delete
          </button>
        </Writes>
      </header>
      {!enabled && <p class="note">Nothing of this type is sent while it is disabled.</p>}
      <Writes>
        <TextsOf type={type} change={change} />
        <Channels type={type} change={change} />
        <DeliveryTimes type={type} change={change} />
        <Limits type={type} change={change} />
        <StepsOf type={type} change={change} />
      </Writes>
    </div>
  );
}

/** The channels of a type, with their default delivery and templates. */
function Channels({ type, change }: { type: NotificationType; change: (body: Change) => unknown }) {
  const { channels } = type;
  const toggle = (channel: Channel) =>
    change({
      channels: channels.includes(channel)
        ? channels.filter((each) => each !== channel)
        : [...channels, channel],
    });
  const options = (type.options ?? {}) as Record<string, { defaultDeliveryOption?: string } | undefined>;
  const setDefault = (channel: ChannelId, mode: string) => {
    const option = {
      ...options[channel],
      defaultDeliveryOption: mode,
      [mode]: { ...(options[channel] as Record<string, object> | undefined)?.[mode], enabled: true },
    };
    return change({ options: { ...options, [channel]: option } } as Change);
  };
  return (
    <div class="card wide">
      <table>
        <thead>
          <tr>
            <th>Channel</th>
            <th>Default delivery</th>
            <th>Templates</th>
          </tr>
        </thead>
        <tbody>
          {CHANNELS.map(({ id: channel, name: label }) => {
            const isOn = channels.includes(channel);
            return (
              <tr key={channel}>
                <td>
                  <label class="check">
                    <input type="checkbox" checked={isOn} onChange={() => toggle(channel)} />{' '}
                    <ChannelIcon channel={channel} /> {label}
                  </label>
                </td>
                <td>
                  {isOn && (
                    <Select
                      label={`Default delivery of ${label}`}
                      value={options[channel]?.defaultDeliveryOption ?? 'instant'}
                      all={deliveryModesOf(channel)}
                      set={(mode) => setDefault(channel, mode)}
                    />
                  )}
                </td>
                <td>{isOn && <Templates type={type} channel={channel} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Templates({ type, channel }: { type: NotificationType; channel: ChannelId }) {
  const ids = type.templates?.find((each) => each.channel === channel)?.templateIds ?? [];
  return (
    <span class="actions">
      {ids.map((templateId) => (
        <a key={templateId} href={addressOf(['types', type.notificationId, channel, templateId])}>
          {templateId}
        </a>
      ))}
      <a class="small" href={addressOf(['types', type.notificationId, channel, NEW], { create: 'yes' })}>
        New template
      </a>
    </span>
  );
}

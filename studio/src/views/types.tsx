import type { Channel, NotificationType } from '../../../client/src/generated/types.ts';
import { act, Back, Empty, Missing, Problem, Skeleton, Unsaved, useLoaded } from '../parts/basics.tsx';
import { CHANNELS, ChannelIcon, type ChannelId } from '../parts/channel.tsx';
import { deliveryModesOf } from '../parts/delivery-modes.ts';
import { saveOn } from '../parts/editions.ts';
import { IdForm } from '../parts/id-form.tsx';
import { lazy } from '../parts/lazy.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { Words } from '../parts/words.tsx';
import { Writes } from '../parts/writes.tsx';
import { useDraft } from '../state/drafts.ts';
import { addressOf, go, place } from '../state/route.ts';
import { api } from '../state/service.ts';
import { type Change, changesOf, formOf, type Option, type TypeForm } from '../state/type-form.ts';
import { DeliveryTimes } from './type-delivery.tsx';
import { Limits, StepsOf } from './type-limits.tsx';
import { Parameters } from './type-parameters.tsx';
import { TextsOf } from './type-texts.tsx';

const TemplateView = lazy(async () => (await import('./template.tsx')).TemplateView);

/** In an address: a template that does not exist yet, unless one has this ID. */
const NEW = 'new';

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
        {id && value && !type && (
          <Missing title="No such type" list="types" error={`There is no type ${id}.`} />
        )}
        {type ? (
          <Detail notificationId={type.notificationId} key={type.notificationId} onChanged={reload} />
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
          <Words class="strong clip" text={title} />
          {!enabled && <span class="small notsent">○ disabled</span>}
        </span>
        <span class="line">
          <Words class="small faint clip" text={notificationId} />
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

type DetailProps = { notificationId: string; onChanged: () => void };

function Detail({ notificationId, onChanged }: DetailProps) {
  const read = () => api.types.get(notificationId).withResponse();
  const { value, error, reload } = useLoaded(read, [notificationId]);
  if (!value) return error ? <Missing title={notificationId} list="types" error={error} /> : <Skeleton />;
  const changed = () => {
    reload();
    onChanged();
  };
  return <EditType type={value.data} etag={value.etag} onChanged={changed} />;
}

type EditProps = { type: NotificationType; etag: string | undefined; onChanged: () => void };

function EditType({ type, etag, onChanged }: EditProps) {
  const { notificationId } = type;
  const { enabled } = type;
  const saved = formOf(type);
  const [form, setForm, draft] = useDraft(['type', notificationId], saved, etag);
  const { names, body } = changesOf(form, saved);
  const change = async (body: Change, then?: () => void, base = etag) => {
    const update = (ifMatch: object) => api.types.update(notificationId, body, ifMatch);
    const isSaved = await saveOn(base, update, () => api.types.get(notificationId));
    if (isSaved) then?.();
    onChanged();
  };
  const save = (event: Event) => {
    event.preventDefault();
    change(body, draft.clear, draft.base);
  };
  const part = <P extends keyof TypeForm>(name: P) => ({
    value: form[name],
    set: (value: TypeForm[P]) => setForm({ ...form, [name]: value }),
  });
  const remove = async () => {
    if (!(await isSureToRemove('type', notificationId))) return;
    if (!(await act(() => api.types.delete(notificationId), 'Deleted'))) return;
    onChanged();
    go(['types']);
  };
  return (
    <form class="page" onSubmit={save}>
      <Back list="types" />
      <header class="actions">
        <h1>
          <Words text={notificationId} />
        </h1>
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
        <TextsOf {...part('texts')} />
        <Channels type={type} form={form} set={setForm} />
        <DeliveryTimes {...part('options')} channels={form.channels} isRequired={form.texts.required} />
        <Limits {...part('limits')} />
        <StepsOf {...part('steps')} />
        <Parameters {...part('schema')} type={type} />
        <footer class="card saves">
          <span class="small faint">{names.join(', ') || 'Everything is saved'}</span>
          <Unsaved draft={draft} name="the type" />
          <button type="submit" class="primary" disabled={names.length === 0}>
            Save
          </button>
        </footer>
      </Writes>
    </form>
  );
}

type ChannelProps = { type: NotificationType; form: TypeForm; set: (form: TypeForm) => void };

function Channels({ type, form, set }: ChannelProps) {
  const { channels, options } = form;
  const toggle = (channel: Channel) => {
    const others = channels.filter((each) => each !== channel);
    set({ ...form, channels: others.length < channels.length ? others : [...channels, channel] });
  };
  const setDefault = (channel: ChannelId, mode: string) => {
    const before = options[channel];
    const chosen = { ...(before?.[mode] as Option | undefined), enabled: true };
    set({
      ...form,
      options: { ...options, [channel]: { ...before, defaultDeliveryOption: mode, [mode]: chosen } },
    });
  };
  return (
    <div class="card wide" data-field="channels">
      <Table columns={['Channel', 'Default delivery', 'Templates']}>
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
                    value={String(options[channel]?.defaultDeliveryOption ?? 'instant')}
                    all={deliveryModesOf(channel)}
                    set={(mode) => setDefault(channel, mode)}
                  />
                )}
              </td>
              <td>{isOn && <Templates type={type} channel={channel} />}</td>
            </tr>
          );
        })}
      </Table>
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

import { useState } from 'preact/hooks';
import { act, Back, Empty, Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { FilterField } from '../parts/filter-field.tsx';
import { isSureToRemove } from '../parts/removals.ts';
import { Table } from '../parts/table.tsx';
import { Writes } from '../parts/writes.tsx';
import { place, setQuery } from '../state/route.ts';
import { api } from '../state/service.ts';

const PAGE = 100;

type Suppression = Awaited<ReturnType<typeof api.users.listSuppressions>>['suppressions'][number];

async function newest(max: number): Promise<Suppression[]> {
  const found: Suppression[] = [];
  for await (const each of api.users.listSuppressions({ limit: PAGE })) if (found.push(each) >= max) break;
  return found;
}

/** Suppressed addresses, newest first, with the words of their servers. Addresses can be looked up, suppressed and lifted. */
export function SuppressionsView() {
  const [max, setMax] = useState(PAGE);
  const wanted = place.value.query.get('find') ?? '';
  const isAddress = /^\S+@[^\s@.]+\.[^\s@]+$/.test(wanted);
  const { value, error, reload } = useLoaded(
    async () =>
      isAddress
        ? (await api.users.listSuppressions({ address: wanted })).suppressions
        : (await newest(max)).filter(({ address }) => address.includes(wanted.toLowerCase())),
    [max, wanted],
  );
  const lift = async (address: string) => {
    if (!(await isSureToRemove('suppression', address))) return;
    if (await act(() => api.users.liftAddress('EMAIL', address), 'Lifted')) reload();
  };
  return (
    <div class="page">
      <Back list="users" />
      <h1>Suppressed addresses</h1>
      <div class="bar">
        <FilterField
          label="Email address"
          width="60%"
          value={wanted}
          onChange={(find) => setQuery({ find })}
          isLive
        />
        {isAddress && value?.length === 0 && (
          <Writes>
            <button
              type="button"
              onClick={() =>
                act(() => api.users.suppressAddress('EMAIL', wanted, {}), 'Suppressed').then(reload)
              }
            >
              Suppress it
            </button>
          </Writes>
        )}
      </div>
      {error ? <Problem error={error} /> : null}
      {!value && !error && <Skeleton />}
      {value?.length === 0 && (
        <Empty title={wanted === '' ? 'No address is suppressed' : 'Not suppressed'}>
          An address that bounces or complains appears here: nothing is sent to it until you lift it.
        </Empty>
      )}
      {value && value.length > 0 && (
        <div class="card wide">
          <Table label="Suppressed addresses">
            {value.map(({ address, reason, createdAt, detail }) => (
              <tr key={address}>
                <td>{address}</td>
                <td>{reason}</td>
                <td class="small faint">{Object.values(detail).join(' ')}</td>
                <td class="faint">{createdAt && <Time atMs={Date.parse(createdAt)} />}</td>
                <td class="link">
                  <Writes>
                    <button type="button" aria-label={`Lift ${address}`} onClick={() => lift(address)}>
                      Lift
                    </button>
                  </Writes>
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {value && value.length >= max && (
        <button type="button" onClick={() => setMax(max + PAGE)}>
          Show more
        </button>
      )}
    </div>
  );
}

import { Problem, Skeleton, Time, useLoaded } from '../parts/basics.tsx';
import { channelOf } from '../parts/channel.tsx';
import { Table } from '../parts/table.tsx';
import { api } from '../state/service.ts';

const STATES = {
  closed: { class: 'delivered', text: '● in use' },
  open: { class: 'failed', text: '✕ skipped after failures' },
  probing: { class: 'waiting', text: '◔ being retried' },
} as const;

/** The order of providers of each channel that has one, and how each fares. */
export function Providers() {
  const { value, error } = useLoaded(() => api.providers.getProviderStatus(), []);
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton lines={3} />;
  return (
    <div class="card">
      <header>
        <h2>Providers</h2>
        <span class="small faint">in order of preference</span>
      </header>
      <div class="wide">
        <Table columns={['Channel', 'Provider', 'State', 'Last failure']}>
          {value.channels.flatMap(({ channel, order }) =>
            order.map(({ provider, own, state, openUntil, lastFailure }, index) => (
              <tr key={`${channel} ${provider}`}>
                <td>{index === 0 ? channelOf(channel)?.name : ''}</td>
                <td>{own ? `${provider} (your own)` : provider}</td>
                <td>
                  <span class={STATES[state].class}>{STATES[state].text}</span>
                  {openUntil && (
                    <span class="small faint">
                      {' '}
                      until <Time atMs={Date.parse(openUntil)} />
                    </span>
                  )}
                </td>
                <td class={lastFailure ? '' : 'faint'}>
                  {lastFailure ? (
                    <>
                      {lastFailure.reason}, <Time atMs={Date.parse(lastFailure.at)} />
                    </>
                  ) : (
                    'none'
                  )}
                </td>
              </tr>
            )),
          )}
        </Table>
      </div>
    </div>
  );
}

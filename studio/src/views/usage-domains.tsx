import { CopyButton, Empty, Problem, Skeleton, useLoaded } from '../parts/basics.tsx';
import { Table } from '../parts/table.tsx';
import { api } from '../state/service.ts';

export function Domains() {
  const { value: domains, error } = useLoaded(() => api.domains.list(), []);
  if (error) return <Problem error={error} />;
  if (!domains) return <Skeleton lines={3} />;
  return (
    <div class="card">
      <header>
        <h2>Sender domains</h2>
      </header>
      {domains.length === 0 && (
        <Empty title="No sender domains">
          <p>
            <code>POST /domains</code> with your domain returns the DNS records to publish.
          </p>
        </Empty>
      )}
      {domains.map(({ sender, status, verificationRecords = {} }) => (
        <details key={sender} open={status !== 'SUCCESS'} style={{ padding: '8px 12px' }}>
          <summary>
            <span class="strong">{sender}</span>{' '}
            <span class={status === 'SUCCESS' ? 'delivered' : 'waiting'}>
              {status === 'SUCCESS' ? '● verified' : `◔ ${wordsOf(status)}: publish these records`}
            </span>
          </summary>
          <div class="wide">
            <Table columns={['Type', 'Host', 'Value', '(Copy)']}>
              {Object.values(verificationRecords).map(
                ({ recordType, host, recordValue, priority, problem }) => (
                  <tr key={`${recordType} ${host}`}>
                    <td>{recordType}</td>
                    <td class="mono">{host}</td>
                    <td class="mono value">
                      {priority === undefined ? recordValue : `${priority} ${recordValue}`}
                      {problem && <p class="failed">{problem}</p>}
                    </td>
                    <td class="link">
                      <CopyButton text={recordValue} label={`Copy the value of ${recordType} ${host}`} />
                    </td>
                  </tr>
                ),
              )}
            </Table>
          </div>
        </details>
      ))}
    </div>
  );
}

const wordsOf = (status: string) => status.toLowerCase().replaceAll('_', ' ');

import { describe, expect, it } from 'vitest';
import { createDnsResolver, isDnsUnavailable } from '../../../../shared/services/domains/dns-resolver.ts';
import { startFakeDns } from '../../../support/fakes/dns-server.ts';
import { useStarted } from '../../../support/use-started.ts';

const SERVER_FAILURE = 2;

const dns = useStarted(startFakeDns, 'test');
const resolver = () => createDnsResolver([dns.address]);

describe('the resolver', () => {
  it('joins the strings of a long TXT record and reads MX records', async () => {
    const text = 'x'.repeat(700);
    dns.zone.txt.set('a.example.com', [text, 'short']);
    dns.zone.mx.set('a.example.com', ['mx.example.com']);
    expect(await resolver().findTxt('a.example.com')).toEqual([text, 'short']);
    expect(await resolver().findMx('a.example.com')).toEqual([{ exchange: 'mx.example.com', priority: 10 }]);
  });

  it('returns nothing for a host without such a record, and throws when DNS fails', async () => {
    expect(await resolver().findTxt('none.example.com')).toEqual([]);
    dns.zone.txt.set('b.example.com', ['x']);
    expect(await resolver().findMx('b.example.com')).toEqual([]);
    dns.fail(SERVER_FAILURE);
    await expect(resolver().findTxt('b.example.com')).rejects.toSatisfy(isDnsUnavailable);
  });
});

import { useState } from 'preact/hooks';
import { checkHtml } from '../state/email-checks.ts';
import { sandbox } from '../state/service.ts';
import { act } from './basics.tsx';
import { Table } from './table.tsx';

/** What mail programs leave out of an email. */
export function HtmlCheck({ html }: { html: string }) {
  const found = checkHtml(html);
  if (found.length === 0)
    return <p class="body">✓ Gmail and Outlook for Windows show everything that is checked here.</p>;
  return (
    <div class="wide">
      <Table columns={['Left out', 'By', 'Source']} label="HTML check">
        {found.map(({ name, clients, source }) => (
          <tr key={name}>
            <td class="mono">{name}</td>
            <td class="waiting">◔ {clients}</td>
            <td>
              <a href={source} target="_blank" rel="noreferrer">
                caniemail.com
              </a>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

type Link = { text: string; href: string; kind: string };

export function Links({ links }: { links: readonly Link[] }) {
  const [results, setResults] = useState<ReadonlyMap<string, string>>();
  const check = () =>
    act(async () => {
      const urls = links.map(({ href }) => href).filter((href) => /^https?:/i.test(href));
      const checked = await sandbox<{ links: { url: string; result: string }[] }>('links', 'POST', {
        urls: urls.slice(0, 100),
      });
      setResults(new Map(checked.links.map(({ url, result }) => [url, result])));
    });
  return (
    <>
      <p class="body actions">
        <button type="button" onClick={check}>
          Check the links
        </button>
      </p>
      <div class="wide">
        <Table class="stack" label="Links">
          {links.map(({ text, href, kind }, index) => (
            <tr key={index}>
              <td>{text || '(no text)'}</td>
              <td class="mono wraps">{href}</td>
              <td>{kind}</td>
              <td>{results && <Result text={results.get(href) ?? problemOf(href)} />}</td>
            </tr>
          ))}
        </Table>
      </div>
    </>
  );
}

const problemOf = (href: string) =>
  /^(?:mailto|tel|sms):./i.test(href) ? 'not requested' : 'Mail programs open no such link.';

function Result({ text }: { text: string }) {
  const isFine = /^(?:[23]\d\d|not requested)/.test(text);
  return (
    <span class={isFine ? 'delivered' : 'failed'}>
      {isFine ? '✓' : '✕'} {text}
    </span>
  );
}

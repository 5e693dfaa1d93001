import { useMemo, useState } from 'preact/hooks';
import { sandbox } from '../state/service.ts';
import { Problem, Skeleton, Tabs, useLoaded } from './basics.tsx';
import { hasRemoteImages, withoutImages } from './remote-images.ts';
import { list, type Shown, text } from './shown.ts';
import { Words } from './words.tsx';

const EMAIL_TABS = [
  'Email',
  'Plain text',
  'HTML',
  'Headers',
  'Attachments',
  'Links',
  'HTML check',
  'Source',
] as const;

/** An email as a mailbox shows it, and everything else that is in it. */
export function Email({ shown }: { shown: Shown }) {
  const [tab, setTab] = useState<string>('Email');
  const html = text(shown.html);
  const from = shown.from as { name?: string; address?: string } | undefined;
  return (
    <div class="card">
      <header>
        <div class="mail-head">
          <h2>
            <Words text={text(shown.subject) || 'No subject'} />
          </h2>
          <p class="small faint">
            {senderText(from)} {shown.to ? `to ${text(shown.to)}` : ''}
          </p>
        </div>
      </header>
      <Tabs
        names={EMAIL_TABS.filter((name) => name !== 'Source' || shown.outboxId !== undefined)}
        current={tab}
        onSelect={setTab}
      />
      {tab === 'Email' && <EmailFrame html={html} />}
      {tab === 'Plain text' && (
        <div class="body">
          <pre>{text(shown.text) || 'Generated from the HTML when it is sent.'}</pre>
        </div>
      )}
      {tab === 'HTML' && (
        <div class="body">
          <pre>{html}</pre>
        </div>
      )}
      {tab === 'Headers' && <Headers shown={shown} />}
      {tab === 'Attachments' && <Attachments items={list(shown.attachments)} />}
      {(tab === 'Links' || tab === 'HTML check') && <Checked key={tab} html={html} tab={tab} />}
      {tab === 'Source' && <Source id={shown.outboxId} />}
    </div>
  );
}

function senderText(from: { name?: string; address?: string } | undefined): string {
  if (!from?.address) return 'from the account’s default sender';
  return from.name ? `${from.name} <${from.address}>` : from.address;
}

const WIDTHS = { Desktop: '720px', Phone: '390px' } as const;
const HEIGHT_MIN = 96;
const HEIGHT_MAX = 4000;
const BORDERS = 2;
const NO_REMOTE = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;
const REMOTE_IMAGES = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:">`;

const TAGS_MAX = 5000;
/** Chromium ends a page that lays out some elements 300 levels deep. */
const LEVELS_MAX = 200;

/** True if a browser takes long to draw the HTML, or ends the page because of it. */
function isHeavy(html: string): boolean {
  if ((html.match(/<[a-z]|@import/gi)?.length ?? 0) > TAGS_MAX) return true;
  let level: Element[] = [new DOMParser().parseFromString(html, 'text/html').documentElement];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LEVELS_MAX) return true;
    level = level.flatMap(({ children }) => [...children]);
  }
  return false;
}

/**
 * The email in a frame without scripts and forms; remote images only on a click. This page reads the height
 * of the content: with scripts off, nothing in the frame can use its origin.
 */
function EmailFrame({ html }: { html: string }) {
  const [width, setWidth] = useState<keyof typeof WIDTHS>(innerWidth < 640 ? 'Phone' : 'Desktop');
  const [hasImages, setImages] = useState(false);
  const [height, setHeight] = useState(HEIGHT_MIN);
  const [isWanted, setWanted] = useState(false);
  const isLeftOut = useMemo(() => isHeavy(html), [html]) && !isWanted;
  const resize = (frame: HTMLIFrameElement) => {
    const shown = frame.contentDocument?.documentElement.scrollHeight ?? HEIGHT_MIN;
    setHeight(Math.min(Math.max(shown + BORDERS, HEIGHT_MIN), HEIGHT_MAX));
  };
  const isRemote = hasRemoteImages(html);
  return (
    <div class="stage-area">
      <div class="actions">
        {(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]).map((name) => (
          <button type="button" key={name} aria-pressed={name === width} onClick={() => setWidth(name)}>
            {name} · {WIDTHS[name].replace('px', '')}
          </button>
        ))}
        {isRemote && !hasImages && !isLeftOut && (
          <button type="button" onClick={() => setImages(true)}>
            Load remote images
          </button>
        )}
      </div>
      {isLeftOut ? (
        <p class="note actions">
          This email has so many elements, or so deep ones, that the browser may stop at it.
          <button type="button" onClick={() => setWanted(true)}>
            Show it
          </button>
        </p>
      ) : (
        <iframe
          class="mail-frame"
          title="The email"
          sandbox="allow-same-origin"
          referrerpolicy="no-referrer"
          key={width}
          onLoad={({ currentTarget }) => resize(currentTarget)}
          style={{ maxWidth: WIDTHS[width], height: `${height}px` }}
          srcdoc={`<!doctype html><meta charset="utf-8">${hasImages ? REMOTE_IMAGES : NO_REMOTE}<base target="_blank"><body style="margin:16px;font-family:sans-serif;color:#1b1f27;background:#fff">${hasImages ? html : withoutImages(html)}`}
        />
      )}
    </div>
  );
}

function Headers({ shown }: { shown: Shown }) {
  const rows: [string, unknown][] = [
    ['Subject', shown.subject],
    ['To', shown.to],
    ['Reply-To', list(shown.replyToAddresses).join(', ')],
    ['Cc', list(shown.ccAddresses).join(', ')],
    ['Bcc', list(shown.bccAddresses).join(', ')],
    ...list(shown.headers).map(({ name, value }): [string, unknown] => [text(name), value]),
  ];
  return (
    <div class="body">
      <dl>
        {rows
          .filter(([, value]) => text(value) !== '')
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd class="mono">{text(value)}</dd>
            </>
          ))}
      </dl>
    </div>
  );
}

function Attachments({ items }: { items: Shown[] }) {
  if (items.length === 0) return <p class="body faint">No attachments.</p>;
  return (
    <ul>
      {items.map((item) => (
        <li key={text(item.filename)}>
          {text(item.filename)} <span class="faint mono">{text(item.url)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The message as a mail server would receive it; the sandbox writes it from its record. */
function Source({ id }: { id: unknown }) {
  const { value, error } = useLoaded(() => sandbox<{ raw: string }>(`messages/${id}/raw`), [id]);
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton lines={4} />;
  return (
    <div class="body">
      <pre>{value.raw}</pre>
    </div>
  );
}

/** Links of the HTML, read without rendering it. */
const linksIn = (html: string) =>
  [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a[href]')].map((link) => {
    const href = link.getAttribute('href') ?? '';
    return { text: link.textContent?.trim() ?? '', href, kind: kindOf(href) };
  });

/** Loaded when it is opened. */
function Checked({ html, tab }: { html: string; tab: string }) {
  const { value, error } = useLoaded(() => import('./email-checks.tsx'), []);
  if (error) return <Problem error={error} />;
  if (!value) return <Skeleton lines={4} />;
  if (tab === 'HTML check') return <value.HtmlCheck html={html} />;
  const links = linksIn(html);
  return links.length === 0 ? <p class="body faint">No links.</p> : <value.Links links={links} />;
}

function kindOf(href: string): string {
  if (href.includes('/unsubscribe/')) return 'unsubscribe';
  if (href.includes('/track/click/')) return 'tracked';
  if (/^https:/i.test(href)) return 'https';
  if (/^(mailto|tel):/i.test(href)) return 'contact';
  return /^http:/i.test(href) ? 'not encrypted' : 'relative or unusual';
}

import { useState } from 'preact/hooks';
import { Json, Tabs } from './basics.tsx';
import { ChannelIcon, type ChannelId } from './channel.tsx';

/** A message in parts, whatever it was read from: the outbox, a log's preview, a dry run. */
export type Shown = Record<string, unknown>;

/** Draws a message as its recipient sees it. Nothing of it is ever inserted as HTML into this page. */
export function Preview({ channel, shown }: { channel: ChannelId; shown: Shown }) {
  switch (channel) {
    case 'EMAIL':
      return <Email shown={shown} />;
    case 'SMS':
      return <Phone shown={shown} />;
    case 'CALL':
      return <Call shown={shown} />;
    case 'PUSH':
      return <Push shown={shown} />;
    case 'WEB_PUSH':
      return <WebPush shown={shown} />;
    case 'CHAT':
      return <Chat shown={shown} />;
    case 'INAPP_WEB':
      return <Inapp shown={shown} />;
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
const list = (value: unknown): Shown[] => (Array.isArray(value) ? value : []);

const EMAIL_TABS = ['Email', 'Plain text', 'HTML', 'Headers', 'Attachments', 'Links'] as const;

function Email({ shown }: { shown: Shown }) {
  const [tab, setTab] = useState<string>('Email');
  const html = text(shown.html);
  const from = shown.from as { name?: string; address?: string } | undefined;
  return (
    <div class="card">
      <header>
        <div class="mail-head">
          <h2>{text(shown.subject) || 'No subject'}</h2>
          <p class="small faint">
            {from ? `${from.name ? `${from.name} ` : ''}<${from.address ?? ''}>` : ''}{' '}
            {shown.to ? `to ${text(shown.to)}` : ''}
          </p>
        </div>
      </header>
      <Tabs names={EMAIL_TABS} current={tab} onSelect={setTab} />
      {tab === 'Email' && <EmailFrame html={html} />}
      {tab === 'Plain text' && (
        <div class="body">
          <pre>{text(shown.text) || 'Written from the HTML when it is sent.'}</pre>
        </div>
      )}
      {tab === 'HTML' && (
        <div class="body">
          <pre>{html}</pre>
        </div>
      )}
      {tab === 'Headers' && <Headers shown={shown} />}
      {tab === 'Attachments' && <Attachments items={list(shown.attachments)} />}
      {tab === 'Links' && <Links html={html} />}
    </div>
  );
}

const WIDTHS = { Desktop: '720px', Phone: '390px' } as const;
const NO_REMOTE = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;
const REMOTE_IMAGES = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:">`;

/** The email in a frame without scripts, forms or this page's origin; remote images only on a click. */
function EmailFrame({ html }: { html: string }) {
  const [width, setWidth] = useState<keyof typeof WIDTHS>(innerWidth < 640 ? 'Phone' : 'Desktop');
  const [hasImages, setImages] = useState(false);
  const isRemote = /<img[^>]+src=["']?https?:|url\(\s*["']?https?:|background=["']?https?:/i.test(html);
  return (
    <div class="stage-area">
      <div class="actions">
        {(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]).map((name) => (
          <button type="button" key={name} aria-pressed={name === width} onClick={() => setWidth(name)}>
            {name} · {WIDTHS[name].replace('px', '')}
          </button>
        ))}
        {isRemote && !hasImages && (
          <button type="button" onClick={() => setImages(true)}>
            Load remote images
          </button>
        )}
      </div>
      <iframe
        class="mail-frame"
        title="The email"
        sandbox=""
        referrerpolicy="no-referrer"
        style={{ maxWidth: WIDTHS[width] }}
        srcdoc={`<!doctype html><meta charset="utf-8">${hasImages ? REMOTE_IMAGES : NO_REMOTE}<base target="_blank"><body style="margin:16px;font-family:sans-serif;color:#1b1f27;background:#fff">${html}`}
      />
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

/** Links of the HTML, read without rendering it. */
function Links({ html }: { html: string }) {
  const found = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a[href]')];
  if (found.length === 0) return <p class="body faint">No links.</p>;
  return (
    <div class="wide">
      <table>
        <tbody>
          {found.map((link, index) => {
            const href = link.getAttribute('href') ?? '';
            return (
              <tr key={index}>
                <td>{link.textContent?.trim() || '(no text)'}</td>
                <td class="mono">{href}</td>
                <td>{kindOf(href)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function kindOf(href: string): string {
  if (href.includes('/unsubscribe/')) return 'unsubscribe';
  if (href.includes('/track/click/')) return 'tracked';
  if (/^https:/i.test(href)) return 'https';
  if (/^(mailto|tel):/i.test(href)) return 'contact';
  return /^http:/i.test(href) ? 'not encrypted' : 'relative or unusual';
}

function Phone({ shown }: { shown: Shown }) {
  const message = text(shown.message ?? shown.text);
  const segments = shown.segments ?? shown.sms_sent_segments;
  const media = list(shown.mediaUrls);
  return (
    <div class="stage-area">
      <div class="bubbles">
        <p class="small faint">{text(shown.from) || 'Your number'}</p>
        <p class="bubble">{message}</p>
        {media.length > 0 && <p class="small faint">{media.length} media file(s)</p>}
        <p class="small faint">
          {segments ? `${text(segments)} segment(s)` : `${message.length} characters`}
        </p>
      </div>
    </div>
  );
}

function Call({ shown }: { shown: Shown }) {
  const message = text(shown.message ?? shown.text);
  const speak = () => {
    speechSynthesis.cancel();
    speechSynthesis.speak(new SpeechSynthesisUtterance(message));
  };
  return (
    <div class="stage-area">
      <div class="bubbles">
        <p class="small faint">Spoken text</p>
        <p class="prose">{message}</p>
        <p class="actions">
          <button type="button" onClick={speak}>
            Listen
          </button>
        </p>
      </div>
    </div>
  );
}

function Push({ shown }: { shown: Shown }) {
  return (
    <div class="stage-area">
      <div class="lock">
        <div class="banner">
          <p class="small">now</p>
          <p class="strong">{text(shown.title)}</p>
          <p>{text(shown.message)}</p>
        </div>
      </div>
    </div>
  );
}

function WebPush({ shown }: { shown: Shown }) {
  return (
    <div class="stage-area">
      <div class="desktop">
        <span class="avatar">
          <ChannelIcon channel="WEB_PUSH" />
        </span>
        <div>
          <p class="strong">{text(shown.title)}</p>
          <p class="prose">{text(shown.message)}</p>
          <p class="small faint clip">{text(shown.url)}</p>
        </div>
      </div>
    </div>
  );
}

function Chat({ shown }: { shown: Shown }) {
  const content = (shown.content ?? shown) as Shown;
  const blocks = list(content.blocks);
  return (
    <div class="stage-area">
      <div class="chat-message">
        <span class="avatar">
          <ChannelIcon channel="CHAT" />
        </span>
        <div>
          <p>
            <span class="strong">{text(content.username) || 'Bot'}</span>{' '}
            <span class="small faint">{text(shown.chatChannel)}</span>
          </p>
          {blocks.length === 0 ? (
            <p class="prose">{text(content.text)}</p>
          ) : (
            blocks.map((block, index) => <Block key={index} block={block} />)
          )}
        </div>
      </div>
    </div>
  );
}

function Block({ block }: { block: Shown }) {
  const inner = block.text as Shown | string | undefined;
  const words = typeof inner === 'string' ? inner : text(inner?.text);
  switch (block.type) {
    case 'header':
      return <h3>{words}</h3>;
    case 'section':
      return (
        <p class="prose">
          {words ||
            list(block.fields)
              .map(({ text: field }) => text(field))
              .join('\n')}
        </p>
      );
    case 'divider':
      return <hr />;
    case 'context':
      return (
        <p class="small faint">
          {list(block.elements)
            .map((element) => text(element.text))
            .join(' · ')}
        </p>
      );
    default:
      return <Json value={block} />;
  }
}

function Inapp({ shown }: { shown: Shown }) {
  return (
    <div class="stage-area">
      <div class="desktop">
        <span class="avatar">
          <ChannelIcon channel="INAPP_WEB" />
        </span>
        <div>
          <p class="strong">{text(shown.title)}</p>
          <p class="small faint clip">{text(shown.redirectURL ?? shown.url)}</p>
        </div>
      </div>
    </div>
  );
}

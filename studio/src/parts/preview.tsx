import { countSegments, findUcs2Character } from '../../../shared/domain/phone/sms-segments.ts';
import { Json } from './basics.tsx';
import { ChannelIcon, type ChannelId } from './channel.tsx';
import { Email } from './email.tsx';
import { countText, list, type Shown, text } from './shown.ts';
import { Words } from './words.tsx';

/** Of a text whose language nobody stated. */
const UNKNOWN = { dir: 'auto', lang: '' } as const;

/** Draws a message as its recipient sees it. Never inserts its parts as HTML into this page. */
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

function Phone({ shown }: { shown: Shown }) {
  const message = text(shown.message ?? shown.text);
  const { encoding, segments } = countSegments(message);
  const odd = findUcs2Character(message);
  const media = list(shown.mediaUrls);
  return (
    <div class="stage-area">
      <div class="bubbles">
        <p class="small faint">{text(shown.from) || 'From the account’s default number'}</p>
        <p class="bubble" {...UNKNOWN}>
          {message}
        </p>
        {media.length > 0 && <p class="small faint">{countText(media.length, 'media file')}</p>}
        <p class="small faint">
          {countText([...message].length, 'character')}, {encoding}
          {odd === undefined ? '' : ` because of ${nameOf(odd)}`}, {countText(segments, 'segment')}
          {typeof shown.estimatedPrice === 'number' && `, about $${shown.estimatedPrice.toFixed(2)}`}
        </p>
      </div>
    </div>
  );
}

/** A character that cannot be seen by its code point. */
const nameOf = (character: string) =>
  /[\p{C}\p{Z}\p{M}]/u.test(character)
    ? `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
    : `“${character}”`;

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
        <p class="prose" {...UNKNOWN}>
          {message}
        </p>
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
          <Words class="strong" text={text(shown.title)} />
          <p {...UNKNOWN}>{text(shown.message)}</p>
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
          <Words class="strong" text={text(shown.title)} />
          <p class="prose" {...UNKNOWN}>
            {text(shown.message)}
          </p>
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
            <Words class="strong" text={text(content.username) || 'Bot'} />{' '}
            <span class="small faint">{text(shown.chatChannel)}</span>
          </p>
          {blocks.length === 0 ? (
            <p class="prose" {...UNKNOWN}>
              {text(content.text)}
            </p>
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
      return <h3 {...UNKNOWN}>{words}</h3>;
    case 'section':
      return (
        <p class="prose" {...UNKNOWN}>
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
        <p class="small faint" {...UNKNOWN}>
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
          <Words class="strong" text={text(shown.title)} />
          {shown.body !== undefined && (
            <p class="prose" {...UNKNOWN}>
              {text(shown.body)}
            </p>
          )}
          <p class="small faint clip">{text(shown.redirectURL ?? shown.url)}</p>
          <p class="actions">
            {list(shown.actions).map(({ label, url }, index) => (
              <span key={index} class="button" title={text(url)}>
                <Words text={text(label)} />
              </span>
            ))}
          </p>
        </div>
      </div>
    </div>
  );
}

import { countSegments, findUcs2Character } from '../../../shared/domain/sms-segments.ts';
import { Json } from './basics.tsx';
import { ChannelIcon, type ChannelId } from './channel.tsx';
import { Email } from './email.tsx';
import { countText, list, type Shown, text } from './shown.ts';

/** Draws a message as its recipient sees it. No part of it is inserted as HTML into this page. */
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
        <p class="bubble">{message}</p>
        {media.length > 0 && <p class="small faint">{countText(media.length, 'media file')}</p>}
        <p class="small faint">
          {countText([...message].length, 'character')}, {encoding}
          {odd === undefined ? '' : ` because of “${odd}”`}, {countText(segments, 'segment')}
          {typeof shown.estimatedPrice === 'number' && `, about ${shown.estimatedPrice} USD`}
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

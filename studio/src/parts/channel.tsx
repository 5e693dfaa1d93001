import type { ComponentChildren } from 'preact';

export const CHANNELS = [
  { id: 'EMAIL', prefix: 'email', block: 'email', name: 'Email' },
  { id: 'INAPP_WEB', prefix: 'inapp', block: 'inapp', name: 'In-app' },
  { id: 'SMS', prefix: 'sms', block: 'sms', name: 'SMS' },
  { id: 'CALL', prefix: 'call', block: 'call', name: 'Call' },
  { id: 'PUSH', prefix: 'mobile_push', block: 'mobile_push', name: 'Push' },
  { id: 'WEB_PUSH', prefix: 'web_push', block: 'web_push', name: 'Web push' },
  { id: 'CHAT', prefix: 'chat', block: 'chat', name: 'Chat' },
] as const;

export type ChannelId = (typeof CHANNELS)[number]['id'];
export type ChannelRow = (typeof CHANNELS)[number];

export function channelOf(id: string): ChannelRow | undefined {
  return CHANNELS.find((row) => row.id === id);
}

const PATHS: Record<ChannelId, ComponentChildren> = {
  EMAIL: <path d="M1.5 3.5h13v9h-13zM1.5 4l6.500 5 6.500-5" />,
  INAPP_WEB: <path d="M3.500 11.500V7a4.500 4.500 0 0 1 9 0v4.500l1 1h-11zM6.500 14.200h3" />,
  SMS: <path d="M2 2.500h12v8.500H7l-3 3v-3H2z" />,
  CALL: (
    <path d="M3 2.500l2.500-.5 1.500 3.500-1.800 1.300a9 9 0 0 0 4 4L10.500 9l3.500 1.500-.5 2.500c-5.500 1-11.500-5-10.500-10.500z" />
  ),
  PUSH: <path d="M4.500 1.500h7v13h-7zM7 12.500h2" />,
  WEB_PUSH: <path d="M1.500 2.500h13v9h-13zM5.500 14h5M8 11.500V14" />,
  CHAT: <path d="M6 1.500L4.500 14.500M11.500 1.500L10 14.500M2 5.500h12.500M1.500 10.500H14" />,
};

export function ChannelIcon({ channel }: { channel: ChannelId }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.3"
      stroke-linejoin="round"
      stroke-linecap="round"
      aria-hidden="true"
    >
      {PATHS[channel]}
    </svg>
  );
}

/** A notification on all seven channels, to a user who has an address on each. */
export const WELCOME = {
  type: 'welcome',
  to: {
    id: 'welcome-user',
    email: 'ada@example.com',
    number: '+14155550123',
    timezone: 'Europe/London',
    chatChannel: '#general',
    chatToken: { access_token: 'sandbox-token' },
    pushTokens: [{ type: 'FCM', token: 'welcome-device' }],
    webPushTokens: [
      { sub: { endpoint: 'https://push.example.com/welcome', keys: { p256dh: 'BNc', auth: 'tBH' } } },
    ],
  },
  parameters: { name: 'Ada' },
  email: { subject: 'Welcome, {{ name }}', html: '<h1>Welcome, {{ name }}</h1><p>Your first email.</p>' },
  inapp: { title: 'Welcome, {{ name }}', url: 'https://example.com/start' },
  sms: { message: 'Welcome, {{ name }}: your first text message.' },
  call: { message: 'Welcome, {{ name }}. This is your first call.' },
  mobile_push: { title: 'Welcome, {{ name }}', message: 'Your first push notification.' },
  web_push: {
    title: 'Welcome, {{ name }}',
    message: 'Your first web push.',
    url: 'https://example.com/start',
  },
  chat: { text: 'Welcome, {{ name }}: your first chat message.' },
};

/** Sends the welcome notification through the HTTP API, as a customer would. */
export async function sendWelcome(baseUrl: string, secretKey: string): Promise<void> {
  const response = await fetch(`${baseUrl}/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(WELCOME),
  });
  if (!response.ok) throw new Error(`The welcome notification was rejected: ${await response.text()}`);
}

/**
 * A self-signed certificate for 127.0.0.1, localhost and service.invalid, with its key. Both are public, only for tests.
 *
 * Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj "/CN=loopback,
 * for tests only" -addext "subjectAltName=DNS:localhost,DNS:service.invalid,IP:127.0.0.1"`.
 */
export const cert = `-----BEGIN CERTIFICATE-----
MIIByzCCAXGgAwIBAgIUPpfqp4XNsZOSnFYazawiyHNIGpQwCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYbG9vcGJhY2ssIGZvciB0ZXN0cyBvbmx5MCAXDTI2MTEyMTEx
MzYxNVoYDzIxMjYxMDI4MTEzNjE1WjAjMSEwHwYDVQQDDBhsb29wYmFjaywgZm9y
IHRlc3RzIG9ubHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATXpYRQjyf36N7V
W8Zt+IyhHR+uEqg4Qb6xTm7o/GFDRVRsonjdipoGxklqUAAKeorqOoSWj52ggyXF
i9ZvW/q6o4GAMH4wHQYDVR0OBBYEFE1aE82stW/+cw6XgMxH0wKJzgUlMB8GA1Ud
IwQYMBaAFE1aE82stW/+cw6XgMxH0wKJzgUlMA8GA1UdEwEB/wQFMAMBAf8wKwYD
VR0RBCQwIoIJbG9jYWxob3N0gg9zZXJ2aWNlLmludmFsaWSHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgJcuU1XRgYTlv+UrJbPEeeqrEKUIDGE+KQ62RYnKTDBkCIQD/
K7MoY0glG7tHUS7eJhCYqJs22QXNnJlzNVfGEkZ9HA==
-----END CERTIFICATE-----`

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQga7aKsW5jg1tBaVkg
ylsk7Qjj4q14jgGeEjMnUP6ZisGhRANCAATXpYRQjyf36N7VW8Zt+IyhHR+uEqg4
Qb6xTm7o/GFDRVRsonjdipoGxklqUAAKeorqOoSWj52ggyXFi9ZvW/q6
-----END PRIVATE KEY-----`

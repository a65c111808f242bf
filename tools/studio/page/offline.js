// The service worker: keeps the whole site, so that the page works without a network once it has been loaded. A
// site of other content has another name, which build.mjs puts in here with the names of its files; all of them are
// taken together, and those of before are dropped.
const name = `boardwright-${SITE_VERSION}`;
const files = SITE_FILES;

self.addEventListener("install", (event) => {
  const fresh = files.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((one) => one.startsWith("boardwright-") && one !== name);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((one) => caches.delete(one)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const base = new URL("./", self.location.href);
  if (request.method !== "GET" || url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return;
  const file = url.pathname.slice(base.pathname.length) || "index.html";
  if (!files.includes(file)) return;
  event.respondWith(caches.open(name).then(async (cache) => (await cache.match(file)) ?? fetch(request)));
});

//! What every adapter over HTTP can be told.

/// Writes the methods that every adapter over HTTP has, for a type with a field `endpoint`.
macro_rules! endpoint_methods {
    ($adapter:ty $(, [$($generics:tt)*])?) => {
        impl $(<$($generics)*>)? $adapter {
            /// At another place: a proxy, a gateway, a server of your own. Paths of the wire go below it; its
            /// parameters stay.
            ///
            /// What cannot be a URL is the error of the first call.
            #[must_use]
            pub fn base_url(self, url: impl AsRef<str>) -> Self {
                self.set(|settings| settings.set_base(url.as_ref()))
            }

            /// With a further header, in place of one of the same name. The value of one whose name has `auth`, `key`,
            /// `token` or `cookie` in it is held as a secret.
            ///
            /// What cannot be a header is the error of the first call.
            #[must_use]
            pub fn header(self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
                self.set(|settings| settings.set_header(name.as_ref(), value.as_ref()))
            }

            /// Through an HTTP client of your own, with its proxies, certificates, layers and connection limits. Let it
            /// follow no redirects: a key would go along.
            #[must_use]
            pub fn client(self, client: ::reqwest::Client) -> Self {
                self.set(|settings| settings.client = Some(client))
            }

            /// With these limits of time.
            #[must_use]
            pub fn timeouts(self, timeouts: $crate::http::Timeouts) -> Self {
                self.set(|settings| settings.timeouts = timeouts)
            }

            /// With this rule for further attempts after faults of the transport.
            #[must_use]
            pub fn retry(self, retry: $crate::http::Retry) -> Self {
                self.set(|settings| settings.retry = retry)
            }

            /// With this limit on the bytes of a reply, as they are after decompression; 64 MiB without it.
            #[must_use]
            pub fn max_reply_bytes(self, most: usize) -> Self {
                self.set(|settings| settings.max_reply_bytes = most)
            }

            /// With these parameters where a request states none.
            #[must_use]
            pub fn parameters(self, parameters: $crate::adapter::Parameters) -> Self {
                self.set(|settings| settings.parameters = parameters)
            }

            /// With the messages and replies in traces. Without it they are not there.
            #[must_use]
            pub fn trace_contents(self, on: bool) -> Self {
                self.set(|settings| settings.trace_contents = on)
            }

            /// The request that [`call`](crate::adapter::Adapter::call) would send.
            ///
            /// # Errors
            ///
            /// What the route cannot carry.
            pub fn dry_run(
                &self,
                request: &$crate::adapter::CallRequest,
            ) -> Result<$crate::http::Preview, $crate::adapter::CallError> {
                self.endpoint.preview(request, $crate::http::wire::Delivery::Whole)
            }

            /// The request that [`stream`](crate::adapter::Adapter::stream) would send.
            ///
            /// # Errors
            ///
            /// What the route cannot carry.
            pub fn dry_run_stream(
                &self,
                request: &$crate::adapter::CallRequest,
            ) -> Result<$crate::http::Preview, $crate::adapter::CallError> {
                self.endpoint.preview(request, $crate::http::wire::Delivery::Stream)
            }

            fn set(mut self, change: impl FnOnce(&mut $crate::http::settings::Settings)) -> Self {
                self.endpoint = self.endpoint.set(change);
                self
            }
        }
    };
}

/// Writes [`Adapter`](crate::adapter::Adapter) for a type with a field `endpoint`.
macro_rules! endpoint_adapter {
    ($adapter:ty, $dialect:ty $(, [$($generics:tt)*])?) => {
        impl $(<$($generics)*>)? $crate::adapter::Adapter for $adapter {
            type Dialect = $dialect;

            fn capabilities(&self) -> $crate::adapter::Capabilities {
                self.endpoint.capabilities()
            }

            fn identity(&self) -> String {
                self.endpoint.identity()
            }

            fn call(
                &self,
                request: $crate::adapter::CallRequest,
            ) -> impl Future<Output = Result<$crate::adapter::CallResponse, $crate::adapter::CallError>> + Send {
                self.endpoint.call(request)
            }

            fn call_streamed(&self, request: $crate::adapter::CallRequest) -> $crate::adapter::ResponseStream<'_> {
                self.endpoint.stream(request)
            }
        }
    };
}

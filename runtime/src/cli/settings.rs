//! The settings that both command lines have.

/// Writes the methods of a builder whose field `setup` is a [`Setup`](super::setup::Setup).
macro_rules! common_settings {
    ($builder:ty, $name:literal) => {
        impl $builder {
            #[doc = concat!("With the program in this file, or of this name on the path; `", $name, "` without it.")]
            #[must_use]
            pub fn program(mut self, program: impl Into<OsString>) -> Self {
                self.setup.set_program(program.into());
                self
            }

            /// With this model, as the program names it. Without it the user's own choice holds.
            #[must_use]
            pub fn model(mut self, model: impl Into<String>) -> Self {
                self.setup.model = Some(model.into());
                self
            }

            /// In this working folder. Without it that of this process.
            #[must_use]
            pub fn current_dir(mut self, folder: impl Into<PathBuf>) -> Self {
                self.setup.directory = Some(folder.into());
                self
            }

            /// With one more argument, behind those that are always there.
            #[must_use]
            pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
                self.setup.arguments.push(argument.into());
                self
            }

            /// With more arguments, behind those that are always there.
            #[must_use]
            pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
                self.setup.arguments.extend(arguments.into_iter().map(Into::into));
                self
            }

            /// With this variable in its environment. If its name says that it is a secret, errors mask its value.
            #[must_use]
            pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
                self.setup.environment.set(name.into(), value.into());
                self
            }

            /// Without this variable in its environment.
            #[must_use]
            pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
                self.setup.environment.remove(name.into());
                self
            }

            /// With this variable of this process's environment, if it is set there; a star at the end of a name
            /// stands for any ending.
            #[must_use]
            pub fn pass_env(mut self, name: impl Into<OsString>) -> Self {
                self.setup.environment.pass(name.into());
                self
            }

            /// With the whole environment of this process.
            #[must_use]
            pub fn inherit_env(mut self) -> Self {
                self.setup.environment.pass_everything();
                self
            }

            /// With at most so many processes at a time, for this adapter and its later clones together; one at
            /// least. Calls beyond that wait.
            #[must_use]
            pub fn at_once(mut self, count: usize) -> Self {
                self.setup.set_at_once(count);
                self
            }

            /// With at most so many bytes of output from one run, 64 MiB without this. A run that writes more is
            /// killed, and its call fails.
            #[must_use]
            pub fn max_output(mut self, bytes: usize) -> Self {
                self.setup.most_output = bytes;
                self
            }

            /// With the user's own customizations: instructions, hooks, plugins, and what else the program reads
            /// beside its login and its model.
            #[must_use]
            pub fn customized(mut self) -> Self {
                self.customized = true;
                self
            }

            /// The program's version. It is found out once for an adapter and its clones, before the first call.
            ///
            /// # Errors
            ///
            /// If the program is missing, not executable, too old, or does not say its version.
            pub async fn version(&self) -> Result<Version, CallError> {
                self.setup.version(None).await
            }
        }

        /// The program and the model; not what it is told, nor its environment.
        impl fmt::Debug for $builder {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($builder))
                    .field("program", &self.setup.program)
                    .field("model", &self.setup.model)
                    .finish_non_exhaustive()
            }
        }

        impl Default for $builder {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

pub(super) use common_settings;

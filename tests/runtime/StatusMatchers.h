// ASSERT_OK(status or statusOr), and ExpectError(status, code, "text").
#ifndef TANDEM_TESTS_RUNTIME_STATUSMATCHERS_H
#define TANDEM_TESTS_RUNTIME_STATUSMATCHERS_H

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tandem::runtime {

inline absl::Status statusOf(const absl::Status &status) { return status; }
template <typename T> absl::Status statusOf(const absl::StatusOr<T> &value) {
  return value.status();
}

#define ASSERT_OK(expression)                                                                      \
  ASSERT_TRUE(::tandem::runtime::statusOf(expression).ok())                                        \
      << ::tandem::runtime::statusOf(expression)
#define EXPECT_OK(expression)                                                                      \
  EXPECT_TRUE(::tandem::runtime::statusOf(expression).ok())                                        \
      << ::tandem::runtime::statusOf(expression)

// The error's message contains every one of the texts.
template <typename T>
void expectError(const T &value, absl::StatusCode code, std::initializer_list<const char *> texts) {
  const absl::Status &status = statusOf(value);
  EXPECT_EQ(status.code(), code) << status;
  for (const char *text : texts)
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(text));
}

} // namespace tandem::runtime

#endif
